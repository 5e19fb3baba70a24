/** `metric_source` → `metric source`, `unit_id_type` → `unit ID type` */
export function words(type: string): string {
  return type.replaceAll("_", " ").replace(" id ", " ID ");
}

/** `metric_source` → `Metric source` */
export function title(type: string): string {
  return type.charAt(0).toUpperCase() + words(type).slice(1);
}
