/** What a rollout is about, in sentences. */
import type {
  MemberOutcome,
  RolloutState,
  routerTemplateRolloutList,
  routerTemplateRolloutMembers,
  WaveGate,
  WaveState,
} from "@weft/contract/domains/templates/rollout.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { rolloutMessages } from "./rollout-messages.ts";

export type Rollout = OutputOf<typeof routerTemplateRolloutList>[number];
export type RolloutWave = Rollout["waves"][number];
export type RolloutMember = OutputOf<typeof routerTemplateRolloutMembers>[number];
export type RolloutTexts = Translate<keyof typeof rolloutMessages>;

export const useRolloutTexts = (): RolloutTexts => useTexts(rolloutMessages);

const rolloutGlyphs: Readonly<Record<RolloutState, Glyph>> = {
  ...({ running: "run", waiting: "warn", halted: "warn" } as const),
  ...({ rolledBack: "bad", completed: "ok" } as const),
};
export const waveGlyphs: Readonly<Record<WaveState, Glyph>> = {
  ...({ ahead: "off", underway: "run", passed: "ok", rolledBack: "bad" } as const),
};
export const outcomeGlyphs: Readonly<Record<MemberOutcome, Glyph>> = {
  ...({ ahead: "off", underway: "run", observed: "run" } as const),
  ...({ passed: "ok", absent: "unknown", held: "warn", rolledBack: "disabled" } as const),
};

/** A version that was found to be bad is called so, whatever its rollout came to. */
export const rolloutGlyph = ({ state, isBad }: Pick<Rollout, "state" | "isBad">): Glyph =>
  isBad ? "bad" : rolloutGlyphs[state];

/** The same for a whole rollout: one that ended without having seen all its CPEs is not simply fine. */
export const sentenceGlyph = (rollout: Rollout): Glyph => {
  const isUnseen = rollout.state === "completed" && leftOut(rollout).length > 0;
  return isUnseen && !rollout.isBad ? "warn" : rolloutGlyph(rollout);
};

/** CPEs that follow the version by this rollout now. */
export const reachedBy = ({ waves }: Pick<Rollout, "waves">): number =>
  waves
    .flatMap(({ counts }) => Object.entries(counts))
    .filter(([outcome]) => outcome !== "ahead" && outcome !== "rolledBack")
    .reduce((sum, [, count]) => sum + count, 0);

/** "lost contact on 2 CPEs", gate after gate. */
export const failuresText = (t: RolloutTexts, ...waves: readonly RolloutWave[]): string => {
  const counts = Map.groupBy(
    waves.flatMap(({ failures }) => Object.entries(failures)),
    ([gate]) => gate as WaveGate,
  );
  return t.list(
    [...counts].map(([gate, some]) =>
      t("rollout.gateCount", {
        gate: t(`rollout.gate.${gate}`),
        count: some.reduce((sum, [, count]) => sum + count, 0),
      }),
    ),
  );
};

/** CPEs of all waves that came to this. */
const outcomes = ({ waves }: Pick<Rollout, "waves">, outcome: MemberOutcome): number =>
  waves.reduce((sum, { counts }) => sum + (counts[outcome] ?? 0), 0);

/** Outcomes of CPEs on which nothing was seen of the version. */
const unseen = ["absent", "held"] as const;

/** Those of `unseen` that CPEs of these waves came to. */
export const leftOut = (rollout: Pick<Rollout, "waves">) =>
  unseen.filter((outcome) => outcomes(rollout, outcome) > 0);

/** "3 passed, 1 not in contact". */
export const countsText = (
  t: RolloutTexts,
  rollout: Pick<Rollout, "waves">,
  shown: readonly ("passed" | "absent" | "held")[],
): string =>
  t.list(
    shown.map((outcome) => t(`rollout.count.${outcome}`, { count: outcomes(rollout, outcome) })),
  );

function completedText(t: RolloutTexts, rollout: Rollout): string {
  const missing = leftOut(rollout);
  if (missing.length === 0) return t("rollout.completed", { cpes: rollout.cpes });
  const rest = countsText(t, rollout, missing);
  if (rollout.reason === "unseen") return t("rollout.completedUnseen", { rest });
  return t("rollout.completedInPart", { passed: outcomes(rollout, "passed"), rest });
}

/** All of a wave passed, or some of it, or nothing was seen of it. */
function waitingText(t: RolloutTexts, wave: number, current: RolloutWave | undefined): string {
  const currentWaves = { waves: current ? [current] : [] };
  const missing = leftOut(currentWaves);
  const next = wave + 1;
  if (missing.length === 0) return t("rollout.waiting", { wave, next });
  if (outcomes(currentWaves, "passed") === 0) {
    return t("rollout.waitingUnseen", { wave, next, counts: countsText(t, currentWaves, missing) });
  }
  const counts = countsText(t, currentWaves, ["passed", ...missing]);
  return t("rollout.waitingInPart", { wave, next, counts });
}

/** How the rollout is, in one sentence. */
export function rolloutText(t: RolloutTexts, rollout: Rollout): string {
  const { state, reason, wave, waves, version, cpes, prepared } = rollout;
  const current = waves.find(({ number }) => number === wave);
  if (state === "completed") return completedText(t, rollout);
  if (state === "rolledBack") return t("rollout.rolledBack", { version });
  if (state === "waiting") return waitingText(t, wave, current);
  if (state === "halted") {
    if (reason === "restore") return t("rollout.haltedByRestore", { wave });
    if (reason === "operator" || !current) return t("rollout.haltedByOperator", { wave });
    return t("rollout.haltedByGate", { wave, version, reasons: failuresText(t, ...waves) });
  }
  if (prepared < cpes && current?.state !== "passed" && !current?.startTime) {
    return t("rollout.preparing", { prepared, cpes });
  }
  const done = current?.counts.passed ?? 0;
  return t("rollout.running", { wave, waves: waves.length, done, cpes: current?.cpes ?? 0 });
}

/** What its gates are. */
export function planText(t: RolloutTexts, rollout: Rollout): string {
  const { contactGate, linkGate, findingGate, lossLimit, askEach, soak, grace } = rollout;
  const loss = lossLimit === null ? [] : [`${t("rollout.gate.loss")} (${lossLimit}%)`];
  const gates = [
    t("rollout.gate.task"),
    ...(contactGate ? [t("rollout.gate.contact")] : []),
    ...(linkGate ? [t("rollout.gate.links")] : []),
    ...(findingGate ? [t("rollout.gate.findings")] : []),
    ...loss,
  ];
  const text = t("rollout.plan", { soak, grace, gates: t.list(gates) });
  return askEach ? `${text} · ${t("rollout.planAsk")}` : text;
}
