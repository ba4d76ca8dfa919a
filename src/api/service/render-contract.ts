export function renderContract(yaml: string): string {
  return yaml;
}
