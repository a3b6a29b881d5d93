import { session } from "@weft/contract/domains/access/session.ts";
import { useEffect } from "react";
import { call } from "#client/call.ts";
import { clockText } from "#ui/time-text.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { useTemplateTexts } from "./template-texts.ts";
import styles from "./visit.module.css";

/** Past its end the link is asked about every so often, in ms: this clock may be ahead. */
const pollEvery = 5_000;

/** Says in the header how long the link still works, and finds out that it does not any more. */
export function VisitTag({ until }: { readonly until: Date }) {
  const t = useTemplateTexts();
  const isNarrow = useNarrow();
  const end = until.getTime();
  useEffect(() => {
    const timer = setInterval(() => {
      // A refusal ends the session by itself; whatever else happens says nothing of the link.
      if (Date.now() >= end) void call(session, {}).catch(() => undefined);
    }, pollEvery);
    return () => clearInterval(timer);
  }, [end]);
  const time = clockText(until).slice(0, 5);
  const text = t("tem.visitUntil", { time });
  return (
    <span className={styles.tag} title={text}>
      {isNarrow ? t("tem.visitUntilShort", { time }) : text}
    </span>
  );
}
