import Button from "antd/es/button";
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { CallError } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { Bars } from "#ui/bars.tsx";
import { StatusGlyph } from "#ui/glyph.tsx";
import { ErrorText } from "./error-text.tsx";

export interface NextStep {
  readonly label: string;
  readonly run?: (() => void) | undefined;
  readonly to?: string | undefined;
}

interface Props {
  /** first: nothing was ever made; noMatch: filters hide all; good: nothing is good news. */
  readonly kind: "first" | "noMatch" | "good" | "waiting";
  /** What is not here, why, what next. */
  readonly text?: ReactNode;
  readonly action?: NextStep | undefined;
  /** How many filters are on, for noMatch. */
  readonly filters?: number;
  readonly onClear?: () => void;
}

/** Where rows would be. */
export function EmptyState({ kind, text, action, filters = 0, onClear }: Props) {
  const t = useTexts();
  if (kind === "noMatch") {
    const shown = text ?? t(filters > 1 ? "list.noMatch" : "list.noMatchOne", { count: filters });
    return <Place text={shown} action={onClear && { label: t("act.clear"), run: onClear }} />;
  }
  if (kind === "waiting") return <Place text={text ?? t("list.waiting")} action={action} />;
  return <Place text={text} action={action} isPrimary={kind === "first"} />;
}

function Place(props: {
  readonly text: ReactNode;
  readonly action?: NextStep | undefined;
  readonly isPrimary?: boolean;
}) {
  const navigate = useNavigate();
  const { action } = props;
  return (
    <div className="w-empty">
      <p>{props.text}</p>
      {action && (
        <Button
          type={props.isPrimary ? "primary" : "default"}
          onClick={() => (action.to === undefined ? action.run?.() : void navigate(action.to))}
        >
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** A part that failed alone: its reason, the request id, one more try. */
export function Failed({
  error,
  retry,
}: {
  readonly error: CallError;
  readonly retry: () => void;
}) {
  const t = useTexts();
  return (
    <div className="w-empty" role="alert">
      <p>
        <span className="w-state">
          <StatusGlyph glyph="bad" />
          <ErrorText error={error} />
        </span>
      </p>
      <Button onClick={retry}>{t("act.retry")}</Button>
    </div>
  );
}

/** True once `isOn` has lasted for `ms`. */
const useLasting = (isOn: boolean, ms: number): boolean => {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isOn) return setLong(false);
    const timer = setTimeout(() => setLong(true), ms);
    return () => clearTimeout(timer);
  }, [isOn, ms]);
  return isOn && isLong;
};

interface LoadingProps {
  readonly rows?: number;
  /** px that the content will take, where that is known: what is below it then stays in place. */
  readonly height?: number | undefined;
}

/** px of a bar with the room below it. */
const barHeight = 40;

/** While a part loads for the first time: bars where its rows will be, after 10 s also a text. */
export function Loading({ rows = 4, height }: LoadingProps) {
  const t = useTexts();
  const isLong = useLasting(true, 10_000);
  return (
    <div
      className="w-loading"
      aria-busy="true"
      style={
        height === undefined ? { minHeight: rows * barHeight } : { height, overflow: "hidden" }
      }
    >
      <Bars count={height === undefined ? rows : Math.max(1, Math.floor(height / barHeight))} />
      {isLong && <p className="w-quiet">{t("wait.long")}</p>}
    </div>
  );
}
