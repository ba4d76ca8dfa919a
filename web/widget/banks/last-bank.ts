const KEPT = "tillgate.bank";

/**
 * The bank that was chosen last in this browser: its symbol and nothing else. In a private window, or in a frame whose storage is
 * blocked, there is none.
 */
export function readLastBank(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepLastBank(symbol: string): void {
  try {
    localStorage.setItem(KEPT, symbol);
  } catch {
    // The payer chooses again next time.
  }
}
