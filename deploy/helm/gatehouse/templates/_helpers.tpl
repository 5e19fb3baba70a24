{{/* The name of the objects: the release's, which contains "gatehouse". */}}
{{- define "gatehouse.name" -}}
{{- if contains "gatehouse" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name | trunc 53 }}-gatehouse{{ end }}
{{- end }}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gatehouse.labels" -}}
{{ include "gatehouse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "gatehouse.metadata" -}}
name: {{ include "gatehouse.name" . }}
labels:
  {{- include "gatehouse.labels" . | nindent 2 }}
{{- end }}

{{- define "gatehouse.url" -}}
https://{{ .Values.host }}{{ trimSuffix "/" .Values.ingress.path }}
{{- end }}

{{- define "gatehouse.settings" -}}
{{- /* Load balancers stop sending requests before the server stops accepting them. */}}
{{- $defaults := dict "GATEHOUSE_PUBLIC_URL" (include "gatehouse.url" .) "GATEHOUSE_STOP_DELAY" "5" }}
{{- merge (dict) .Values.settings $defaults | toYaml }}
{{- end }}

{{- define "gatehouse.relay.name" -}}
{{ include "gatehouse.name" . | trunc 57 }}-relay
{{- end }}

{{- define "gatehouse.relay.selector" -}}
app.kubernetes.io/name: gatehouse-relay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gatehouse.relay.metadata" -}}
name: {{ include "gatehouse.relay.name" . }}
labels:
  {{- include "gatehouse.relay.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "gatehouse.relay.settings" -}}
{{- $own := printf "http://%s%s" (include "gatehouse.name" .) (trimSuffix "/" .Values.ingress.path) }}
{{- $defaults := dict "GATEHOUSE_RELAY_ORIGIN" (.Values.relay.origin | default $own) "GATEHOUSE_STOP_DELAY" "5" }}
{{- merge (dict) .Values.relay.settings $defaults | toYaml }}
{{- end }}
