import { asset } from './asset.js';

/**
 * The only style sheet: mobile first, system fonts, light and dark. Colors keep a contrast of 4.5:1 for text
 * and 3:1 for edges (WCAG 2.2 AA).
 */
export const STYLE = asset(
  'style',
  'css',
  `:root {
  color-scheme: light dark;
  --page: #f5f6f8; --surface: #ffffff; --raised: #f0f2f5; --text: #1c2430; --muted: #566070;
  --line: #d5dae1; --edge: #7d8795; --accent: #3650c7; --accent-strong: #2a40a8; --on-accent: #ffffff;
  --tint: #eaedfb; --bad: #b3261e; --bad-tint: #fdecea; --good: #1a6b3c; --good-tint: #e6f4ea; --shadow: 0 1px 2px #1c243014, 0 8px 24px #1c24300f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151b; --surface: #191f28; --raised: #222a35; --text: #e6eaf0; --muted: #a3adbb;
    --line: #303a47; --edge: #76818f; --accent: #9fb0ff; --accent-strong: #bcc8ff; --on-accent: #131a3a;
    --tint: #222c4d; --bad: #ff9b93; --bad-tint: #3b1f1e; --good: #7fd6a0; --good-tint: #17301f; --shadow: none;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--page); color: var(--text); overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 1.25rem; text-wrap: balance; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 2rem 0 0.75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
p, ul, ol, dl { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, kbd, samp, .secret { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.92em; }
code { background: var(--raised); padding: 0.1em 0.35em; border-radius: 4px; }
img { max-width: 100%; height: auto; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }

.skip { position: absolute; left: 1rem; top: -4rem; background: var(--surface); padding: 0.6rem 1rem; border-radius: 0 0 8px 8px; z-index: 1; }
.skip:focus { top: 0; }
.bar { background: var(--surface); border-bottom: 1px solid var(--line); }
.bar-inner { max-width: 64rem; margin: 0 auto; padding: 0.6rem 1rem; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; }
.brand { display: inline-flex; align-items: center; gap: 0.55rem; font-weight: 700; letter-spacing: -0.01em; color: var(--text); text-decoration: none; padding: 0.3rem 0; }
.brand:hover { color: var(--accent-strong); }
.brand svg { width: 1.5rem; height: 1.5rem; color: var(--accent); flex: none; }
.bar nav { flex: 1 1 0; min-width: min(100%, 24rem); }
.bar ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 0.25rem; }
.bar li a { display: inline-block; padding: 0.4rem 0.6rem; border-radius: 6px; color: var(--muted); text-decoration: none; font-size: 0.94rem; }
.bar li a:hover { background: var(--raised); color: var(--text); }
.bar li a[aria-current] { color: var(--text); font-weight: 600; box-shadow: inset 0 -2px var(--accent); border-radius: 6px 6px 0 0; }
.bar form { margin: 0; }

main { width: 100%; max-width: 30rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; flex: 1 0 auto; }
main.wide { max-width: 64rem; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; box-shadow: var(--shadow); margin: 0 0 1.5rem; }
.card > :last-child { margin-bottom: 0; }
.card > h2:first-child, .card > h3:first-child, .card > .heading:first-child { margin-top: 0; }
footer { color: var(--muted); font-size: 0.85rem; text-align: center; padding: 0 1rem 1.5rem; }

.notice { border: 1px solid var(--line); border-left: 4px solid var(--accent); background: var(--tint); border-radius: 8px; padding: 0.75rem 1rem; margin: 0 0 1.25rem; }
.notice > :last-child { margin-bottom: 0; }
.notice h2 { margin: 0 0 0.35rem; font-size: 1rem; }
.notice.good { border-left-color: var(--good); background: var(--good-tint); }
.notice.bad { border-left-color: var(--bad); background: var(--bad-tint); }
.notice ul { margin: 0; padding-left: 1.2rem; }
.notice.bad a { color: var(--bad); }

.field { margin: 0 0 1.1rem; }
label, legend { font-weight: 600; }
.field > label { display: block; margin-bottom: 0.3rem; }
.hint { display: block; color: var(--muted); font-size: 0.9rem; margin: 0 0 0.35rem; font-weight: 400; }
.error { display: block; color: var(--bad); font-weight: 600; font-size: 0.92rem; margin: 0 0 0.35rem; }
input:not([type=checkbox]):not([type=radio]), select, textarea {
  width: 100%; font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--edge);
  border-radius: 8px; padding: 0.55rem 0.75rem; min-height: 2.75rem;
}
textarea { min-height: 6rem; resize: vertical; }
input[readonly], textarea[readonly] { background: var(--raised); }
[aria-invalid=true] { border-color: var(--bad) !important; border-width: 2px !important; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 0.65rem; align-items: start; padding: 0.3rem 0; }
.choice input { width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; accent-color: var(--accent); }
.choice label { font-weight: 500; }
.choice .hint { grid-column: 2; margin: 0; }
fieldset { border: 1px solid var(--line); border-radius: 10px; padding: 0.5rem 1rem 0.9rem; margin: 0 0 1.25rem; min-width: 0; }
legend { padding: 0 0.4rem; margin-left: -0.4rem; }
fieldset > .field:last-child { margin-bottom: 0.3rem; }
time { white-space: nowrap; }

.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.15rem; font: inherit; font-weight: 600;
  border-radius: 8px; border: 1px solid transparent; cursor: pointer; text-decoration: none; background: var(--accent); color: var(--on-accent);
}
.button:hover { background: var(--accent-strong); color: var(--on-accent); }
.button.secondary { background: var(--surface); color: var(--text); border-color: var(--edge); }
.button.secondary:hover { background: var(--raised); color: var(--text); }
.button.danger { background: var(--surface); color: var(--bad); border-color: var(--bad); }
.button.danger:hover { background: var(--bad-tint); color: var(--bad); }
.button.small { min-height: 2.1rem; padding: 0.25rem 0.8rem; font-size: 0.92rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin: 1.25rem 0 0; }
.actions.equal > * { flex: 1 1 10rem; }
.actions.equal .button { width: 100%; }
.actions form { margin: 0; }
.card .actions .button { overflow-wrap: anywhere; }
.actions form > .button:only-of-type { margin-top: 0; }
form > .button:only-of-type { margin-top: 0.25rem; }

.table { position: relative; overflow-x: auto; margin: 0 0 1.5rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
table { width: 100%; border-collapse: collapse; font-size: 0.95rem; }
caption { text-align: left; font-weight: 600; padding: 0.75rem 1rem; }
th, td { text-align: left; vertical-align: top; padding: 0.6rem 1rem; border-top: 1px solid var(--line); }
thead th { color: var(--muted); font-weight: 600; font-size: 0.87rem; white-space: nowrap; }
td form { margin: 0; }
time { white-space: nowrap; }
.empty { color: var(--muted); }
.badge { display: inline-block; border: 1px solid var(--edge); border-radius: 99px; padding: 0 0.6rem; font-size: 0.83rem; font-weight: 600; color: var(--muted); }
.badge.good { color: var(--good); border-color: var(--good); background: var(--good-tint); }
.badge.bad { color: var(--bad); border-color: var(--bad); background: var(--bad-tint); }
.badge.busy { color: var(--accent); border-color: var(--accent); background: var(--tint); }
.badge.good::before { content: "✓" / ""; margin-right: 0.35em; }
.badge.bad::before { content: "!" / ""; margin-right: 0.35em; }
.badge.busy::before { content: "…" / ""; margin-right: 0.35em; }
.columns { display: grid; gap: 0 1.5rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.heading { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; margin: 2rem 0 0.75rem; }
.heading h2, .heading .actions, .heading p { margin: 0; }
.filter { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; margin: 0 0 1rem; }
.filter .field { flex: 1 1 9rem; margin: 0; }
.moves { list-style: none; margin: 0 0 1.5rem; padding: 0; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.move { padding: 0.9rem 1rem; border-top: 1px solid var(--line); display: grid; gap: 0.3rem 1.5rem; grid-template-columns: minmax(0, 1fr); }
.move:first-child { border-top: 0; }
.move p, .move h3, .move form { margin: 0; }
.move p { font-size: 0.92rem; }
.move-head { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; justify-content: space-between; min-width: 0; }
.move-head h3 { overflow-wrap: anywhere; }
.move .error { overflow-wrap: anywhere; white-space: pre-line; }
.move-times { display: flex; flex-wrap: wrap; gap: 0 1.25rem; font-variant-numeric: tabular-nums; }
.progress { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; font-variant-numeric: tabular-nums; }
progress { appearance: none; flex: 1 1 12rem; max-width: 24rem; height: 0.6rem; border: 1px solid var(--edge); border-radius: 99px; background: var(--raised); overflow: hidden; color: var(--accent); }
progress::-webkit-progress-bar { background: var(--raised); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 99px; }
progress::-moz-progress-bar { background: var(--accent); }
.tracked { min-width: 14rem; overflow-wrap: anywhere; }
.tracked a { font-weight: 600; }
.tracked p, td > p { margin: 0; }
.spark { display: block; max-width: 100%; fill: var(--accent); }
.spark .none { fill: var(--edge); }
.actions + .columns { margin-top: 1.5rem; }
.bars { margin: 0 0 1rem; }
.bars .spark { width: 100%; height: auto; max-width: 24rem; }
.said { overflow-wrap: anywhere; white-space: pre-line; }
.said.raw { white-space: pre-wrap; }
.trace h3 { overflow-wrap: anywhere; }
.frames { list-style: none; padding: 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.frames > li + li { border-top: 1px solid var(--line); }
.frame { overflow-wrap: anywhere; }
div.frame, .frame summary { padding: 0.45rem 0.9rem; }
.frame summary { cursor: pointer; background: var(--raised); }
.code { overflow-x: auto; }
.code ol { margin: 0; padding: 0.4rem 0 0.4rem 4.5rem; width: max-content; min-width: 100%; font-variant-numeric: tabular-nums; color: var(--muted); }
.code code { background: none; padding: 0; white-space: pre; color: var(--text); }
.code .current { background: var(--tint); font-weight: 700; }
[hidden] { display: none !important; }
.whole { white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
dl.facts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.5rem; }
dl.facts dt { color: var(--muted); font-size: 0.9rem; }
dl.facts dd { margin: 0 0 0.75rem; }
.muted { color: var(--muted); }
.links { list-style: none; padding: 0; text-align: center; font-size: 0.94rem; }
.links li { padding: 0.2rem 0; }
.links a { display: inline-block; padding: 0.2rem; }
.codes { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 0.4rem 1rem; }
.qr { background: #ffffff; padding: 0.75rem; max-width: 100%; border-radius: 10px; border: 1px solid var(--line); display: inline-block; line-height: 0; }
.qr svg { max-width: 100%; height: auto; }
.copy { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.copy input { flex: 1 1 14rem; width: auto !important; }

@media (min-width: 40rem) {
  main { padding-top: 3rem; }
  .card { padding: 1.75rem; }
  .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  dl.facts { grid-template-columns: max-content minmax(0, 1fr); }
  dl.facts dt { font-size: 1rem; }
}
@media (forced-colors: active) { .button, .card, .notice { border: 1px solid; } }
@media (prefers-reduced-motion: no-preference) { .button, .bar li a { transition: background-color 120ms, color 120ms; } }
`,
);
