import {
  type FoundBy,
  type FoundKind,
  type FoundRow,
  searchFind,
} from "@weft/contract/domains/monitoring/search.ts";
import { useEffect, useState } from "react";
import type { CallError } from "#client/call.ts";
import { paths } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { healthState } from "#domains/devices/parts/node/health.ts";
import { type NodeTexts, useNodeTexts } from "#domains/devices/parts/node/node-texts.ts";
import { levelGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
import type { Choice } from "./choice.ts";
import { paletteMessages } from "./messages.ts";
import { hasScreen } from "./screens.ts";

/** A value once it has stayed the same for `pause` ms. */
const useDebounced = <Value>(value: Value, pause: number): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
};

/** ms without a key before the server is asked. */
const pauseMs = 200;

/** Rows are offered to those who have the list of their kind in their menus. */
const lists: Readonly<Record<FoundKind, string>> = {
  cpe: paths.cpe(),
  pop: paths.pop(),
  enterprise: paths.enterprise(),
  account: paths.account(),
  netSpace: paths.netSpace(),
  template: paths.template(),
  alarm: paths.alarms(),
};

const byTexts = {
  serial: null,
  line: "palette.by.line",
  lan: "palette.by.lan",
  host: "palette.by.host",
  address: null,
  login: "palette.by.login",
  phone: null,
} as const satisfies Readonly<Record<FoundBy, keyof typeof paletteMessages | null>>;

type PaletteTexts = Translate<keyof typeof paletteMessages>;

/** What it was found by, as a person says it; empty: by its name. */
const whereOf = ({ by, value }: FoundRow, t: PaletteTexts): string => {
  const text = by === null ? null : byTexts[by];
  return text === null ? value : t(text, { value });
};

const stateOf = (row: FoundRow, t: PaletteTexts, nodeTexts: NodeTexts) => {
  if (row.level !== null)
    return { glyph: levelGlyph[row.level], label: t.code("alarmLevel", row.level) };
  return row.kind === "cpe" || row.kind === "pop" ? healthState(row, nodeTexts) : null;
};

/** A row as it is offered, without what can be done with it. */
export type RowChoice = Omit<Choice, "run" | "verbs" | "kind"> & { readonly kind: FoundKind };

const toChoice = (row: FoundRow, t: PaletteTexts, nodeTexts: NodeTexts): RowChoice => {
  const state = stateOf(row, t, nodeTexts);
  const note = [state?.label ?? "", whereOf(row, t), row.enterpriseName]
    .filter(Boolean)
    .join(" · ");
  const { kind, id, name } = row;
  const choice = { id: `${kind}:${id}`, kind, title: name, other: "", note };
  return state ? { ...choice, glyph: state.glyph } : choice;
};

export interface Rows {
  readonly choices: readonly RowChoice[];
  /** The choices were found by an earlier text. */
  readonly isOfBefore: boolean;
  /** Not all answers to this text are there. */
  readonly isSearching: boolean;
  readonly error: CallError | null;
  retry(): void;
}

/** Rows of the person's data scope that a text (trimmed) finds, the best of each kind first. */
export const useRows = (text: string): Rows => {
  const t = useTexts(paletteMessages);
  const nodeTexts = useNodeTexts();
  const { menus } = useSession();
  const searched = useDebounced(text, pauseMs);
  const result = useCall(searchFind, searched === "" ? null : { text: searched }, { keep: true });
  const rows = (result.data ?? []).filter(({ kind }) => hasScreen(menus, lists[kind]));
  return {
    choices: searched === "" ? [] : rows.map((row) => toChoice(row, t, nodeTexts)),
    isOfBefore: searched !== text || result.isOfBefore,
    isSearching: searched !== text || result.isFirstLoad || result.isRefetching,
    error: searched === text ? result.error : null,
    retry: result.refetch,
  };
};
