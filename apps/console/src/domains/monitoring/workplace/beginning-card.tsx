import {
  type BeginningStep,
  type beginning,
  beginningSteps,
} from "@weft/contract/domains/monitoring/beginning.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import { Link, useNavigate } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { Rows } from "#ui/rows.tsx";
import { useWorkplaceTexts } from "./messages.ts";
import styles from "./workplace.module.css";

export type Beginning = OutputOf<typeof beginning>;

interface Step {
  /** Who may not do a step sees it once it is done: it says how far others are. */
  readonly code: Permission;
  /** Where it is done. */
  readonly to: (at: Beginning) => string;
  /** A device has to be approved in it. */
  readonly approves?: true;
  /** The way goes on without it. */
  readonly isOptional?: true;
}

const adding = { open: "add" } as const;
const steps: Readonly<Record<BeginningStep, Step>> = {
  pop: { code: "popAdd", to: () => withSearch(paths.pop(), adding) },
  popOnline: {
    code: "cpeActive",
    approves: true,
    to: ({ pop }) => (pop ? paths.popDetail(pop.id) : paths.pop()),
  },
  enterprise: {
    code: "enterpriseAdd",
    isOptional: true,
    to: () => withSearch(paths.enterprise(), adding),
  },
  site: { code: "cpeAdd", to: () => withSearch(paths.cpe(), adding) },
  siteNetwork: {
    code: "cpeConfig",
    to: ({ site }) => (site ? paths.cpeSet(site.id) : paths.cpe()),
  },
  siteOnline: {
    code: "cpeActive",
    approves: true,
    to: ({ site }) => (site ? paths.cpeDetail(site.id) : paths.cpe()),
  },
  space: { code: "netSpaceAdd", to: () => withSearch(paths.netSpace(), adding) },
  packet: { code: "netSpaceAdd", to: () => paths.links() },
};

/** Steps that the user sees, with what became of each; the next one is the first that is not done. */
export const planOf = (at: Beginning, may: (code: Permission) => boolean) => {
  const isDone = (step: BeginningStep): boolean => at.done.includes(step);
  const shown = beginningSteps.filter((step) => isDone(step) || may(steps[step].code));
  const next = shown.find((step) => !isDone(step) && steps[step].isOptional !== true) ?? null;
  const needed = shown.filter((step) => steps[step].isOptional !== true);
  return {
    shown,
    next,
    isDone,
    done: needed.filter(isDone).length,
    all: needed.length,
  };
};

interface Props {
  readonly data: Beginning;
  readonly close: () => void;
}

/** How far the way to a first living site is, and what to do next. */
export function BeginningCard({ data, close }: Props) {
  const t = useWorkplaceTexts();
  const may = useMay();
  const plan = planOf(data, may);
  const isOver = data.done.includes("packet");
  return (
    <Card
      title={t("beginning.title")}
      unit={t("beginning.progress", { done: plan.done, all: plan.all })}
      extra={
        <Button type="text" size="small" onClick={close}>
          {t(isOver ? "beginning.close" : "beginning.hide")}
        </Button>
      }
    >
      {isOver && <Living site={data.site} />}
      <Rows ordered>
        {plan.shown.map((step) => (
          <Item key={step} step={step} data={data} plan={plan} />
        ))}
      </Rows>
    </Card>
  );
}

interface ItemProps {
  readonly step: BeginningStep;
  readonly data: Beginning;
  readonly plan: ReturnType<typeof planOf>;
}

function Item({ step, data, plan }: ItemProps) {
  const t = useWorkplaceTexts();
  const { to, isOptional, approves } = steps[step];
  const isNext = step === plan.next;
  const isDone = plan.isDone(step);
  const state = isDone ? "done" : isNext ? "next" : "todo";
  const glyph = { done: "ok", next: "run", todo: "off" } as const;
  return (
    <li className={styles.step} aria-current={isNext ? "step" : undefined}>
      <StateText glyph={glyph[state]} label={t(`beginning.state.${state}`)} />
      <div className={styles.grow}>
        <Link className="w-link" to={to(data)}>
          {t(`beginning.${step}`)}
        </Link>
        {isOptional && !isDone && <span className="w-quiet"> {t("beginning.optional")}</span>}
        {isNext && <p className="w-quiet">{t(`beginning.${step}.help`)}</p>}
        {isNext && approves && data.waiting > 0 && (
          <Link className="w-link" to={paths.enrolment()}>
            {t("beginning.waiting", { count: data.waiting })}
          </Link>
        )}
      </div>
    </li>
  );
}

function Living({ site }: { readonly site: Beginning["site"] }) {
  const t = useWorkplaceTexts();
  const navigate = useNavigate();
  if (!site) return null;
  return (
    <div className={styles.living}>
      <StateText glyph="ok" label={t("beginning.living", { name: site.name })} />
      <Button type="primary" onClick={() => void navigate(paths.cpeDetail(site.id))}>
        {t("beginning.openSite")}
      </Button>
    </div>
  );
}
