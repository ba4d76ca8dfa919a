// Asks the questions one after the other. One that fails is said to have failed, and the next one is asked.

/** Answers what each answered, and the names of those that failed, wholly or in part. */
export async function askAll(questions, print) {
  const results = {};
  const failed = [];
  for (const [name, bench] of Object.entries(questions)) {
    const result = await answerOf(name, bench);
    results[name] = result;
    print(result);
    if (result.failure !== undefined) failed.push(name);
  }
  return { results, failed };
}

async function answerOf(name, bench) {
  try {
    return await bench();
  } catch (error) {
    return { question: name, rows: [], notes: [], failure: reasonOf(error) };
  }
}

/** Measures in turns. One that fails is the last: those before it are answered, with the reason. */
export async function inRounds(count, measure) {
  const rounds = [];
  try {
    for (let round = 0; round < count; round += 1) rounds.push(await measure(round));
  } catch (error) {
    if (rounds.length === 0) throw error;
    return { rounds, failure: `round ${rounds.length + 1} of ${count}: ${reasonOf(error)}` };
  }
  return { rounds, failure: undefined };
}

/** Measures each of `items` until one fails. Answers what there is by name, with the reason. */
export async function oneByOne(items, measure) {
  const figures = {};
  try {
    for (const item of items) figures[item.name] = await measure(item);
  } catch (error) {
    return { figures, failure: reasonOf(error) };
  }
  return { figures, failure: undefined };
}

/** What `work` answers, or the reason why it failed. */
export async function attempt(work) {
  try {
    return { answer: await work(), failure: undefined };
  } catch (error) {
    return { answer: undefined, failure: reasonOf(error) };
  }
}

function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
