import { CauseList } from "#domains/notifications/parts/cause/cause-list.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { Card } from "#ui/card.tsx";
import type { Choice } from "./use-choice.ts";
import { useWorkplaceTexts, type Workplace } from "./workplace-texts.ts";

interface Props {
  readonly data: Pick<Workplace, "causes" | "causeCount" | "heat">;
  readonly choice: Choice;
  readonly choose: (next: Choice) => void;
}

const nothing: Choice = { popId: null, isp: null };

/** Trouble first: what is wrong now by its causes, each with its extent and one way on. */
export function Now({ data, choice, choose }: Props) {
  const t = useWorkplaceTexts();
  const { causes, causeCount, heat } = data;
  const pop = heat.pops.find(({ id }) => id === choice.popId)?.name;
  const what = [
    ...(choice.popId === null ? [] : [`POP ${pop ?? choice.popId}`]),
    ...(choice.isp === null ? [] : [choice.isp]),
  ].join(" · ");
  const isChosen = what !== "";
  const clear = (
    <>
      <span className="w-quiet">{t("workplace.choice", { what })} </span>
      <button type="button" className="w-link-button" onClick={() => choose(nothing)}>
        {t("act.clear")}
      </button>
    </>
  );
  const more = { count: causeCount, shown: causes.length };
  return (
    <Card
      title={causeCount > 0 ? `${t("workplace.now")} ${causeCount}` : t("workplace.now")}
      extra={
        isChosen
          ? clear
          : causeCount > causes.length && (
              <span className="w-quiet">{t("workplace.nowMore", more)}</span>
            )
      }
    >
      {causes.length === 0 ? (
        <EmptyState
          kind="good"
          text={isChosen ? t("workplace.nowNoneOf", { what }) : t("workplace.nowNone")}
        />
      ) : (
        <CauseList causes={causes} />
      )}
    </Card>
  );
}
