import type { DriftFinding } from "@weft/contract/device/v1/commands.ts";
import { driftStepText } from "@weft/contract/domains/delivery/foreign-text.ts";
import { driftCheck, driftPolicy } from "@weft/contract/domains/delivery/history.ts";
import { type DriftPolicy, driftPolicies } from "@weft/contract/domains/devices/enums.ts";
import Button from "antd/es/button";
import Segmented from "antd/es/segmented";
import { useState } from "react";
import { codeOptions } from "#client/texts.ts";
import {
  type HistoryTexts,
  useHistoryTexts,
} from "#domains/delivery/parts/history/history-texts.ts";
import type { StateOwner } from "#domains/delivery/parts/history/state-owner.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { TimeText } from "#ui/time-text.tsx";
import type { NodeState } from "./delivery.ts";
import styles from "./node-drift.module.css";

interface Props {
  readonly node: StateOwner;
  readonly state: NodeState;
  /** False: the reader may not configure the node; it is only shown to them. */
  readonly canAct: boolean;
}

/** How the device differs from what it runs, now or the last time, and what becomes of that. */
export function NodeDrift({ node, state, canAct }: Props) {
  const t = useHistoryTexts();
  const [found, setFound] = useState<DriftFinding | null>(null);
  const { drift } = state;
  return (
    <Card title={t("drift.title")}>
      <div className={styles.stack}>
        <StateText {...labelOf(state, t)} />
        {canAct && <Policy nodeId={node.id} policy={state.driftPolicy} />}
        {drift && (
          <KeyValue
            columns={2}
            items={[
              { label: t("drift.since"), value: <TimeText value={drift.since} /> },
              {
                label: t("drift.ended"),
                value: <TimeText value={drift.endTime} missing={t("history.notEnded")} />,
              },
            ]}
          />
        )}
        {found ? (
          <Steps title={foundText(found, t)} steps={found.steps} isOpen />
        ) : (
          drift && (
            <Steps title={t("drift.what")} steps={drift.plan} isOpen={drift.endTime === null} />
          )
        )}
        {canAct && <Checks node={node} isThere={state.driftSteps !== 0} onFound={setFound} />}
      </div>
    </Card>
  );
}

const labelOf = ({ driftSteps }: NodeState, t: HistoryTexts) => {
  if (driftSteps === null) return { glyph: "unknown", label: t("drift.unknown") } as const;
  return driftSteps === 0
    ? ({ glyph: "ok", label: t("drift.none") } as const)
    : ({ glyph: "diff", label: t("drift.now", { count: driftSteps }) } as const);
};

const foundText = ({ count, healed }: DriftFinding, t: HistoryTexts): string => {
  if (count === 0) return t("drift.foundNone");
  return t(healed ? "drift.foundHealed" : "drift.found", { count });
};

interface StepsProps {
  readonly title: string;
  readonly steps: readonly string[];
  readonly isOpen: boolean;
}

function Steps({ title, steps, isOpen }: StepsProps) {
  const { language } = useHistoryTexts();
  if (steps.length === 0) return <p role="status">{title}</p>;
  return (
    <details className={styles.steps} open={isOpen} aria-live="polite">
      <summary>{title}</summary>
      {steps.map((step) => (
        <p key={step} className="w-mono">
          {driftStepText(step, language)}
        </p>
      ))}
    </details>
  );
}

function Policy({ nodeId, policy }: { readonly nodeId: number; readonly policy: DriftPolicy }) {
  const t = useHistoryTexts();
  const keep = useAction(driftPolicy);
  return (
    <div className={styles.policy}>
      <Segmented<DriftPolicy>
        aria-label={t("drift.policy")}
        value={policy}
        disabled={keep.isActing}
        options={codeOptions(t, "driftPolicy", driftPolicies)}
        onChange={(selected) => void keep.act({ id: nodeId, policy: selected })}
      />
      <span className="w-quiet">{t(`drift.policy.${policy}What`)}</span>
    </div>
  );
}

interface ChecksProps {
  readonly node: StateOwner;
  /** Whether there may be a difference to repair. */
  readonly isThere: boolean;
  onFound(found: DriftFinding | null): void;
}

/** The operator's own check, and the command to correct what it found. */
function Checks({ node, isThere, onFound }: ChecksProps) {
  const t = useHistoryTexts();
  const confirm = useConfirm();
  const check = useAction(driftCheck, { done: false });
  const request = async (heal: boolean) => {
    onFound(null);
    onFound((await check.act({ id: node.id, heal }))?.data ?? null);
  };
  const confirmHeal = async () => {
    const question = {
      title: t("drift.healTitle", { name: node.name }),
      body: t("drift.healBody"),
      ok: t("drift.heal"),
    };
    if (await confirm(question)) await request(true);
  };
  return (
    <div className={styles.actions}>
      <Button loading={check.isActing} onClick={() => void request(false)}>
        {t("drift.check")}
      </Button>
      {isThere && (
        <Button disabled={check.isActing} onClick={() => void confirmHeal()}>
          {t("drift.heal")}
        </Button>
      )}
    </div>
  );
}
