import { routerTemplateRolloutList } from "@weft/contract/domains/templates/rollout.ts";
import { useState } from "react";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { StateText, StatusGlyph } from "#ui/glyph.tsx";
import { Sentence } from "#ui/sentence.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./rollout.module.css";
import { RolloutActions } from "./rollout-actions.tsx";
import { RolloutMembers } from "./rollout-members.tsx";
import {
  countsText,
  failuresText,
  leftOut,
  planText,
  type Rollout,
  type RolloutWave,
  rolloutGlyph,
  rolloutText,
  sentenceGlyph,
  useRolloutTexts,
  waveGlyphs,
} from "./rollout-texts.ts";

/** Ms between two readings while CPEs are observed: a user watches. */
const liveEvery = 3_000;

interface Props {
  readonly templateId: number;
  /** The version published last. */
  readonly version: number;
}

/** The newest rollout of a template, live: its waves, their CPEs, and what can be decided. */
export function RolloutPanel({ templateId, version }: Props) {
  const [every, setEvery] = useState(refreshEvery);
  const result = useCall(routerTemplateRolloutList, { templateId, page: 1, limit: 1 }, { every });
  const rollout = result.data?.[0];
  const wanted = rollout?.state === "running" ? liveEvery : refreshEvery;
  if (wanted !== every) setEvery(wanted);
  if (!rollout) return null;
  return <Shown key={rollout.rolloutId} rollout={rollout} every={every} version={version} />;
}

interface ShownProps {
  readonly rollout: Rollout;
  readonly version: number;
  readonly every: number;
}

function Shown({ rollout, version, every }: ShownProps) {
  const t = useRolloutTexts();
  const [selected, setSelected] = useState<number | null>(null);
  const { rolloutId, state, reason, isBad, since, createBy, createTime } = rollout;
  const title = t("rollout.title", { version: rollout.version });
  return (
    <section className={styles.panel} aria-label={title} data-rollout={state}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <StateText
          glyph={reason === "unseen" ? "warn" : rolloutGlyph({ state, isBad: false })}
          label={t(`rollout.state.${state}`)}
        />
        {isBad && <StateText glyph="bad" label={t("rollout.bad")} />}
        <span className="w-quiet">
          <TimeText value={since} form="since" />
        </span>
        <span className={styles.actions}>
          <RolloutActions rollout={rollout} isOld={rollout.version !== version} />
        </span>
      </div>
      <div aria-live="polite">
        <Sentence glyph={sentenceGlyph(rollout)} text={rolloutText(t, rollout)} />
      </div>
      <Waves rollout={rollout} selected={selected} onSelect={setSelected} />
      <p className="w-quiet">
        {planText(t, rollout)} · {t("rollout.by", { name: createBy })}{" "}
        <TimeText value={createTime} />
      </p>
      <RolloutMembers
        key={selected ?? 0}
        rolloutId={rolloutId}
        wave={selected}
        waves={rollout.waves.length}
        every={every}
        since={since}
      />
    </section>
  );
}

interface WavesProps {
  readonly rollout: Rollout;
  readonly selected: number | null;
  readonly onSelect: (wave: number | null) => void;
}

/** Waves as a row of steps; one that is pressed shows its CPEs only. */
function Waves({ rollout, selected, onSelect }: WavesProps) {
  const t = useRolloutTexts();
  const isOpen = rollout.state !== "completed" && rollout.state !== "rolledBack";
  return (
    <ol className={styles.waves} aria-label={t("rollout.waves")}>
      {rollout.waves.map((wave) => (
        <li
          key={wave.number}
          {...(isOpen && wave.number === rollout.wave && { "aria-current": "step" as const })}
        >
          <button
            type="button"
            className={styles.wave}
            aria-pressed={selected === wave.number}
            onClick={() => onSelect(selected === wave.number ? null : wave.number)}
          >
            <WaveText wave={wave} />
          </button>
        </li>
      ))}
    </ol>
  );
}

function WaveText({ wave }: { readonly wave: RolloutWave }) {
  const t = useRolloutTexts();
  const { number, cpes, state, counts } = wave;
  const failures = failuresText(t, wave);
  const { passed = 0 } = counts;
  const missing = leftOut({ waves: [wave] });
  // One that went on without all its CPEs says so.
  const isInPart = state === "passed" && missing.length > 0;
  return (
    <>
      <span className={styles.name}>
        <StatusGlyph glyph={isInPart ? "warn" : waveGlyphs[state]} />
        {t("rollout.wave", { number })}
      </span>
      <span>
        {state === "underway" ? `${passed} / ` : ""}
        {t("rollout.cpes", { count: cpes })}
      </span>
      <span className="w-quiet">
        {isInPart
          ? countsText(t, { waves: [wave] }, ["passed", ...missing])
          : t(`rollout.wave.${state}`)}
      </span>
      {failures !== "" && <span className="w-quiet">{failures}</span>}
    </>
  );
}
