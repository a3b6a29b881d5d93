import {
  routerTemplateRolloutGoOn,
  routerTemplateRolloutHalt,
  routerTemplateRolloutRollBack,
} from "@weft/contract/domains/templates/rollout.ts";
import Button from "antd/es/button";
import { useMay } from "#client/session.tsx";
import { type Question, useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { type Rollout, type RolloutTexts, reachedBy, useRolloutTexts } from "./rollout-texts.ts";

const touches = [
  "routerTemplate",
  "routerTemplateLog",
  "routerTemplateRollout",
  "task",
  "nodeState",
  "cpe",
  "policyFinding",
];

interface Props {
  readonly rollout: Rollout;
  /** A version was published after it: nothing of it can be changed. */
  readonly isOld: boolean;
}

/** What an operator can decide about a rollout now; each asks first and names what happens. */
export function RolloutActions({ rollout, isOld }: Props) {
  const t = useRolloutTexts();
  const may = useMay();
  const confirm = useConfirm();
  const goOn = useAction(routerTemplateRolloutGoOn, { touches, done: t("rollout.done.goOn") });
  const halt = useAction(routerTemplateRolloutHalt, { touches, done: t("rollout.done.halt") });
  const back = useAction(routerTemplateRolloutRollBack, {
    touches,
    done: t("rollout.done.rollBack"),
  });
  const { rolloutId, state, wave } = rollout;
  if (!may("routerTemplateEdit") || isOld || state === "rolledBack") return null;
  const confirmAndAct = async (
    question: Question,
    action: { act: typeof halt.act },
  ): Promise<void> => {
    if (await confirm(question)) await action.act({ rolloutId, state, wave });
  };
  return (
    <>
      {(state === "waiting" || state === "halted") && (
        <Button
          type="primary"
          loading={goOn.isActing}
          onClick={() => void confirmAndAct(goOnQuestion(t, rollout), goOn)}
        >
          {state === "waiting" ? t("rollout.startNext", { next: wave + 1 }) : t("rollout.goOn")}
        </Button>
      )}
      {(state === "running" || state === "waiting") && (
        <Button
          loading={halt.isActing}
          onClick={() => void confirmAndAct(haltQuestion(t, rollout), halt)}
        >
          {t("rollout.halt")}
        </Button>
      )}
      <Button
        danger
        loading={back.isActing}
        onClick={() => void confirmAndAct(rollBackQuestion(t, rollout), back)}
      >
        {t("rollout.rollBack")}
      </Button>
    </>
  );
}

const cpesOf = ({ waves }: Rollout, number: number): number =>
  waves.find((wave) => wave.number === number)?.cpes ?? 0;

function goOnQuestion(t: RolloutTexts, rollout: Rollout): Question {
  const { state, reason, wave, version, templateName: name } = rollout;
  if (state === "waiting") {
    const next = wave + 1;
    return {
      title: t("rollout.startTitle", { name, next }),
      body: t("rollout.startBody", { cpes: cpesOf(rollout, next), version }),
      ok: t("rollout.startNext", { next }),
    };
  }
  const body =
    reason === "gate"
      ? t("rollout.againBody", { wave, cpes: cpesOf(rollout, wave), version })
      : t("rollout.goOnBody", { wave });
  return { title: t("rollout.goOnTitle", { version }), body, ok: t("rollout.goOn") };
}

const haltQuestion = (t: RolloutTexts, rollout: Rollout): Question => ({
  title: t("rollout.haltTitle", { version: rollout.version }),
  body: t("rollout.haltBody", { cpes: reachedBy(rollout), version: rollout.version }),
  ok: t("rollout.halt"),
});

const rollBackQuestion = (t: RolloutTexts, rollout: Rollout): Question => ({
  title: t("rollout.rollBackTitle", { version: rollout.version }),
  body: t("rollout.rollBackBody", { cpes: reachedBy(rollout), version: rollout.version }),
  ok: t("rollout.rollBack"),
  danger: true,
});
