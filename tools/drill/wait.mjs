// Waiting for what happens, with a limit: a drill that hangs says where.

const LOOK_EVERY_MS = 200;

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What waiting longer does not mend. */
export class Hopeless extends Error {}

/** Asks again and again until the answer is something. Every other error counts as "not yet". */
export async function until(what, ask, withinMs) {
  const giveUpMs = performance.now() + withinMs;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      last = error;
    }
    if (performance.now() > giveUpMs) {
      const reason = last === undefined ? "" : ` (${last.message})`;
      throw new Error(`${what}: not within ${Math.round(withinMs / 1000)} s${reason}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}
