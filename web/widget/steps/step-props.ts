import type { Reading } from "../countdown.ts";
import type { Deed } from "../server.ts";
import type { View } from "../view.ts";

/** Does something for the payer; true when the server took it. */
export type Perform = (deed: Deed, body?: object) => Promise<boolean>;

/** What every step's screen is given. */
export type StepProps = {
  readonly view: View;
  readonly reading: Reading;
  readonly perform: Perform;
  readonly refresh: () => void;
};
