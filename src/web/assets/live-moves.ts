/**
 * Part of the script that keeps a list of moves up to date. It only changes texts and hides what does not
 * apply, so that data from the network never becomes markup. State changes are announced to screen readers,
 * progress is not.
 */
export const LIVE_MOVES = `
const live = document.querySelector('[data-live]');
if (live && 'EventSource' in window) {
  const news = live.querySelector('[data-part=news]');
  const refresh = live.querySelector('a');
  const pause = document.createElement('button');
  const { newest, until } = live.dataset;
  let stream = null;
  const part = (item, name) => item.querySelector('[data-part=' + name + ']');
  const tell = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };
  let changes = [];
  const announce = (text) => {
    changes.push(text);
    if (changes.length > 1) return;
    // Simultaneous changes are announced together: each text would otherwise replace the previous one.
    setTimeout(() => {
      const more = changes.length - 3;
      tell(news, changes.slice(0, 3).join('. ') + (more > 0 ? '. And ' + more + ' more.' : ''));
      changes = [];
    }, 200);
  };
  const show = (move) => {
    const item = document.querySelector('[data-move="' + move.id + '"]');
    if (!item) return;
    const state = part(item, 'state');
    if (state.textContent !== move.state) announce(move.name + ': ' + move.state);
    tell(state, move.state);
    state.className = 'badge ' + move.tone;
    item.toggleAttribute('data-moving', move.isMoving);
    part(item, 'progress').hidden = !move.hasProgress && move.amount === '';
    const bar = part(item, 'bar');
    bar.hidden = !move.hasProgress;
    if (move.percent === null) bar.removeAttribute('value');
    else bar.value = move.percent;
    tell(part(item, 'amount'), move.amount);
    part(item, 'error').hidden = move.error === null;
    tell(part(item, 'error'), move.error || '');
    for (const name of ['started', 'ended']) {
      part(item, name).hidden = move[name] === null;
      tell(part(item, name).querySelector('span'), move[name] || '');
    }
    part(item, 'again').hidden = !move.mayRepeat;
  };
  const stop = () => {
    if (stream) stream.close();
    stream = null;
    pause.textContent = 'Resume updates';
  };
  const start = () => {
    const moving = [...document.querySelectorAll('[data-moving]')].map((item) => item.dataset.move);
    const query = new URLSearchParams({ moves: moving.join(), newest, until });
    stream = new EventSource(refresh.pathname + '/events?' + query);
    pause.textContent = 'Pause updates';
    stream.addEventListener('move', (event) => show(JSON.parse(event.data)));
    stream.addEventListener('newer', (event) => announce(JSON.parse(event.data)));
    stream.addEventListener('error', () => {
      if (stream && stream.readyState === EventSource.CLOSED) {
        stop();
        pause.remove();
        if (document.querySelector('[data-moving]')) announce('Progress is no longer updated. Please refresh.');
      }
    });
  };
  pause.type = 'button';
  pause.className = 'button secondary small';
  pause.addEventListener('click', () => (stream ? stop() : start()));
  refresh.before(pause);
  start();
}
`;
