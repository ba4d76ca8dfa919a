/** One step of a check, in the order in which the service takes them. */
export type Step = {
  readonly name: string;
  /** `note`: right, but worth knowing. */
  readonly state: "ok" | "note" | "fault";
  readonly detail: string;
};

/** A value on the way, to be compared with what the person's own program has. */
export type Value = { readonly name: string; readonly text: string };

export type Report = { readonly steps: readonly Step[]; readonly values: readonly Value[] };

export function firstFault({ steps }: Report): Step | undefined {
  return steps.find(({ state }) => state === "fault");
}

export function okStep(name: string, detail: string): Step {
  return { name, state: "ok", detail };
}

export function noteStep(name: string, detail: string): Step {
  return { name, state: "note", detail };
}

export function faultStep(name: string, detail: string): Step {
  return { name, state: "fault", detail };
}
