import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { ROOT } from "./server.ts";

/** Where the reader is: the path below `/account`, and what is filtered. */
export type Place = { readonly path: string; readonly query: URLSearchParams; readonly hash: string };

/** A screen with a change that is not a new screen replaces the address: the back button leads to the screen before. */
type Go = (to: string, how?: "replace") => void;

export const RouterContext = createContext<{ readonly place: Place; readonly go: Go }>({
  place: readPlace(),
  go: () => undefined,
});

export function useRouter() {
  return useContext(RouterContext);
}

function readPlace(): Place {
  const { pathname, search, hash } = location;
  const path = pathname.startsWith(ROOT) ? pathname.slice(ROOT.length).replace(/\/+$/, "") : "";
  return { path, query: new URLSearchParams(search), hash: hash.slice(1) };
}

export function usePlaces() {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const onMove = () => setPlace(readPlace());
    addEventListener("popstate", onMove);
    return () => removeEventListener("popstate", onMove);
  }, []);
  const go: Go = (to, how) => {
    if (how === "replace") history.replaceState(null, "", hrefOf(to));
    else history.pushState(null, "", hrefOf(to));
    setPlace(readPlace());
  };
  return { place, go };
}

/** The address of a screen: `payments?status=success`. */
export function hrefOf(to: string): string {
  return to === "" ? ROOT.replace(/\/$/, "") : `${ROOT}${to}`;
}
