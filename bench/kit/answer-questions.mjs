// What every program does with its messages: each question has a handler by its name, and a fault is an answer too.

export function answerQuestions(handlers) {
  process.on("message", async (message) => {
    const [[name, question]] = Object.entries(message);
    try {
      process.send((await handlers[name](question)) ?? {});
    } catch (error) {
      process.send({ fault: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on("disconnect", () => process.exit(0));
}
