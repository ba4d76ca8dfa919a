// A program of the benchmark in a process of its own, which answers questions one at a time.
import { fork } from "node:child_process";
import { cpuSeconds } from "./cpu.mjs";

export function startProgram(name) {
  const child = fork(new URL(`../programs/${name}`, import.meta.url));
  const ask = async (question) => {
    if (!child.connected) throw new Error(`${name} has ended`);
    child.send(question);
    const answer = await new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`${name} ended`));
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        resolve(message);
      });
    });
    if (answer.fault !== undefined) throw new Error(answer.fault);
    return answer;
  };
  const stop = () => {
    if (child.connected) child.disconnect();
  };
  return { ask, pid: child.pid, cpuSeconds: () => cpuSeconds(child.pid), stop };
}
