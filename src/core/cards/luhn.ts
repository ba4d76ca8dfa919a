/** The check digit that ends every card number. */
export function passesLuhn(digits: string): boolean {
  if (!/^[0-9]{2,}$/.test(digits) || /^0+$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** First six and last four at most: `220012******3456`. */
export function maskPan(pan: string): string {
  return `${pan.slice(0, 6)}${"*".repeat(Math.max(0, pan.length - 10))}${pan.slice(-4)}`;
}

/** Members of a request can have any name, and errors repeat names: one that could be a card's number shows masked. */
export function maskPansIn(text: string): string {
  return text.replace(/[0-9]{12,}/g, maskPan);
}
