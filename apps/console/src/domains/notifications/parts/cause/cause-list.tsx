import type { RootCause } from "@weft/contract/domains/notifications/root-cause.ts";
import { Fragment } from "react";
import { Link } from "react-router";
import { Sentence } from "#ui/sentence.tsx";
import { TimeText } from "#ui/time-text.tsx";
import {
  type CauseTexts,
  causeExtent,
  causeSentence,
  evidencePath,
  nodePath,
  useCauseTexts,
} from "./cause.ts";
import styles from "./cause-list.module.css";

const keyOf = ({ kind, popId, isp, state, named }: RootCause): string =>
  [kind, popId, isp, state, kind === "node" ? named[0]?.id : named[0]?.kind].join("-");

interface ListProps {
  readonly causes: readonly RootCause[];
}

/** Causes, each with its extent and one way on. */
export function CauseList({ causes }: ListProps) {
  const texts = useCauseTexts();
  return (
    <ul className={styles.causes}>
      {causes.map((cause) => (
        <Cause key={keyOf(cause)} cause={cause} texts={texts} />
      ))}
    </ul>
  );
}

interface CauseProps {
  readonly cause: RootCause;
  readonly texts: CauseTexts;
}

function Cause({ cause, texts }: CauseProps) {
  const { t } = texts;
  const { kind, tone, sites, named, since } = cause;
  const sentence = causeSentence(cause, texts);
  const rest = sites - named.length;
  return (
    <li>
      <div className={styles.cause}>
        <Sentence glyph={tone} text={sentence} />
        <span className="w-quiet">
          {causeExtent(cause, texts).map((part) => (
            <Fragment key={part}>{part} · </Fragment>
          ))}
          <TimeText value={since} form="since" />
        </span>
        {kind !== "node" && (
          <span className={styles.names}>
            {named.map((node) => (
              <Link
                key={node.id}
                className="w-link"
                to={nodePath(node)}
                title={`${node.name} ${node.enterpriseName}`}
              >
                {node.name}
              </Link>
            ))}
            {rest > 0 && <span className="w-quiet">{t("cause.moreSites", { count: rest })}</span>}
          </span>
        )}
      </div>
      <Link
        className="w-link"
        to={evidencePath(cause)}
        aria-label={`${t("cause.evidence")}: ${sentence}`}
      >
        {t("cause.evidence")}
      </Link>
    </li>
  );
}
