{{- define "forgeplane.labels" -}}
app.kubernetes.io/name: forgeplane
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "forgeplane.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "forgeplane.claim" -}}
{{ .Values.volume.existingClaim | default (printf "%s-data" .Release.Name) }}
{{- end }}

{{- define "forgeplane.hasMigration" -}}
{{- if and .Values.migration.enabled (not .Values.bundledPostgres.enabled) (not .Values.restore.target) }}true{{ end }}
{{- end }}

{{- define "forgeplane.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "forgeplane.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "forgeplane.env" -}}
- { name: PROCESS, value: {{ .process }} }
- { name: PORT, value: '3000' }
- { name: DATA_DIR, value: /data }
- { name: EXTERNAL_URL, value: {{ .root.Values.externalUrl | quote }} }
- { name: MIGRATE_ON_START, value: {{ include "forgeplane.hasMigration" .root | empty | quote }} }
- { name: METRICS_ALLOWLIST, value: {{ .root.Values.metricsAllowlist | quote }} }
- { name: TRUSTED_PROXIES, value: {{ .root.Values.trustedProxies | quote }} }
- { name: DRAIN_SECONDS, value: {{ .root.Values.drainSeconds | quote }} }
- { name: STOP_TIMEOUT_SECONDS, value: {{ .root.Values.stopTimeoutSeconds | quote }} }
- { name: START_TIMEOUT_SECONDS, value: {{ .root.Values.startTimeoutSeconds | quote }} }
{{- range $name, $value := .root.Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- range $name, $from := .root.Values.secretEnv }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $from.name | quote }}, key: {{ $from.key | quote }} }
{{- end }}
{{- end }}

{{- define "forgeplane.deployment" -}}
{{- if not .root.Values.restore.target }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .process }}
  labels: {{- include "forgeplane.labels" (dict "root" .root "component" .process) | nindent 4 }}
spec:
  {{- if not .isScaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels: {{- include "forgeplane.labels" (dict "root" .root "component" .process) | nindent 6 }}
  template:
    metadata:
      labels: {{- include "forgeplane.labels" (dict "root" .root "component" .process) | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      # preStop, drain, stop, and a moment to end.
      terminationGracePeriodSeconds: {{ add .root.Values.drainSeconds .root.Values.drainSeconds .root.Values.stopTimeoutSeconds 5 }}
      securityContext: {{- include "forgeplane.podSecurity" 1000 | nindent 8 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "forgeplane.labels" (dict "root" .root "component" .process) | nindent 14 }}
      containers:
        - name: {{ .process }}
          image: {{ include "forgeplane.image" .root | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext: {{- include "forgeplane.containerSecurity" . | nindent 12 }}
          env: {{- include "forgeplane.env" . | nindent 12 }}
          ports:
            - { name: http, containerPort: 3000 }
          startupProbe:
            httpGet: { path: /-/health, port: http }
            periodSeconds: 2
            failureThreshold: {{ add 30 (div .root.Values.startTimeoutSeconds 2) }}
          livenessProbe:
            httpGet: { path: /-/liveness, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          # Not ready: no request could succeed. Without Redis, object storage or one of several storages, most do: alerts report their loss.
          # A pod that is to end is forgotten at once. One that is slow has others beside it that are slow as well: to leave it out helps nobody.
          readinessProbe:
            httpGet: { path: /-/readiness, port: http }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 3
          lifecycle:
            preStop:
              exec: { command: [sleep, {{ .root.Values.drainSeconds | quote }}] }
          resources: {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: {{ include "forgeplane.claim" .root }} }
        - name: tmp
          emptyDir: { sizeLimit: {{ .root.Values.temporarySize }} }
{{- if .root.Values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .process }}
  labels: {{- include "forgeplane.labels" (dict "root" .root "component" .process) | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "forgeplane.labels" (dict "root" .root "component" .process) | nindent 6 }}
{{- end }}
{{- end }}
{{- end }}
