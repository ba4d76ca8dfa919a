import { Type } from "typebox";

/** The parts that request bodies are made of. Unknown members are always refused. */
export const CLOSED = { additionalProperties: false } as const;

export const projectId = Type.String({ minLength: 1, maxLength: 32 });

export const generalOfProject = Type.Object({ project_id: projectId }, CLOSED);

export const bodyOfProject = Type.Object({ general: generalOfProject }, CLOSED);
