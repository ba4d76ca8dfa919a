export function styled<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: Partial<CSSStyleDeclaration>,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  Object.assign(element.style, style);
  return element;
}
