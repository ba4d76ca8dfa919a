import { useEffect, useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import { isFramed } from "../frame.ts";
import { ChangeMethod } from "../parts/change-method.tsx";
import { TimeLeft } from "../parts/time-left.tsx";
import { NextOfStep } from "../parts/what-next.tsx";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

/**
 * The issuer's page. Its frame ends on a page of ours, which says so by a message; the server learns the result in its
 * own way. A provider that does not want a frame gets the whole window, or another one where ours is a frame itself.
 */
export function Challenge({ view, reading, refresh, perform }: StepProps) {
  const { words } = useSpeech();
  const { next } = useTopic(TRUST_WORDS);
  // Another address is another challenge; the frame must not follow every answer of the server.
  const [url] = useState(view.challenge_url);
  const [returned, setReturned] = useState(false);
  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      if (event.origin !== location.origin || event.data !== "tillgate-returned") return;
      setReturned(true);
      refresh();
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, []);
  const time = <TimeLeft view={view} reading={reading} onOver={refresh} />;
  const target = isFramed ? "_blank" : "_self";
  if (view.challenge_in_frame !== true || url === undefined) {
    return (
      <section>
        {time}
        <Heading>{words.headings.challenge}</Heading>
        <p>{words.challenge.text}</p>
        <div class="buttons">
          {url === undefined ? null : (
            <a class="button primary" href={url} target={target} rel="noopener">
              {words.challenge.open}
            </a>
          )}
          <ChangeMethod view={view} perform={perform} />
        </div>
        <NextOfStep view={view} />
      </section>
    );
  }
  return (
    <section class="challenge">
      <div class="challenge-head">
        <Heading>{words.headings.challenge}</Heading>
        {returned ? null : time}
      </div>
      <p>{returned ? words.statuses.check : `${words.challenge.text} ${next.challenge}`}</p>
      {returned ? (
        <div class="spinner" aria-hidden="true" />
      ) : (
        <>
          <iframe title={words.challenge.frame} src={url} />
          <div class="challenge-foot">
            <a href={url} target={target} rel="noopener">
              {words.challenge.elsewhere}
            </a>
            <ChangeMethod view={view} perform={perform} />
          </div>
        </>
      )}
    </section>
  );
}
