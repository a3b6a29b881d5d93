import type { AnyResource, RowOf } from "@weft/contract/kernel/resource.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Translate } from "#client/texts.ts";
import { Copyable } from "#ui/copyable.tsx";
import { type StateLabel, StateText } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { Money } from "#ui/money.tsx";
import { NumberText, numberText } from "#ui/number-text.tsx";
import { textWidth } from "#ui/text-width.ts";
import { stampText, TimeText } from "#ui/time-text.tsx";

/** One column of a table. */
export interface Column<Row> {
  readonly key: string;
  /** With the unit, where the cells have none: "Down Mbit/s". */
  readonly title: string;
  /** px. */
  readonly width?: number | undefined;
  /** px that it can be narrowed to, so that all columns have room: its cells cut their text and have all of it on hover. */
  readonly narrowest?: number | undefined;
  /**
   * px that the content of a row takes in one line; absent: as wide as the column. Not for what is measured: columns would
   * move with every refresh.
   */
  readonly need?: ((row: Row) => number) | undefined;
  readonly align?: "right" | undefined;
  /** Column that the server sorts by. */
  readonly sort?: string | undefined;
  readonly pinned?: "left" | "right" | undefined;
  /** Starts hidden; people switch it on. */
  readonly optional?: boolean | undefined;
  /** What a card of a narrow screen puts on top. */
  readonly part?: "name" | "state" | undefined;
  cell(row: Row): ReactNode;
}

interface Options {
  readonly width?: number | undefined;
  /** True: sortable by the column's key. */
  readonly sort?: true | undefined;
  readonly optional?: boolean | undefined;
  /** Why there may be no value. */
  readonly missing?: string | undefined;
}

const column = <Row,>(
  key: string,
  title: string,
  { width, sort, optional }: Options,
  defaultWidth: number,
  more: Pick<Column<Row>, "cell"> & Partial<Column<Row>>,
): Column<Row> => ({
  key,
  title,
  width: width ?? defaultWidth,
  ...(sort && { sort: key }),
  ...(optional && { optional }),
  ...more,
});

/** px of a cell's padding, left and right, and of the arrows of a column that sorts. */
export const padding = 24;
const arrows = 20;
/** px of the icon of a state with the gap behind it, and of the button that copies. */
const glyphWidth = 20;
const copyWidth = 28;
/** px of a character of an id or address. */
const monoWidth = 8;

/** px of a state with this label. */
export const stateNeed = (label: string): number => textWidth(label) + glyphWidth;

/** px of an address or id. */
export const monoNeed = (text: string): number => text.length * monoWidth;

/** px of an address or id of this many characters, with its button. */
export const copyNeed = (length: number): number => length * monoWidth + copyWidth;

/** px of a title in one line: it is bolder than the cells. */
export const headWidth = (title: string, isSorted: boolean): number =>
  Math.ceil(textWidth(title) * 1.06) + padding + (isSorted ? arrows : 0);

/** A narrowed column keeps room for its title, and for this part of its width. */
const narrowed = (title: string, { sort }: Options, width: number, part: number): number =>
  Math.min(width, Math.max(headWidth(title, sort === true), Math.round(width * part)));

export interface Name {
  readonly text: string;
  readonly to?: string | undefined;
  /** A second text after the name, less prominent. */
  readonly note?: ReactNode;
  /** Where its logs are: the key for them leads there (ui/keys). */
  readonly logs?: string | undefined;
}

/** What the row is called; stays in place while the table scrolls sideways. */
export const nameColumn = <Row,>(
  key: string,
  title: string,
  read: (row: Row) => Name,
  options: Options = {},
): Column<Row> =>
  column(key, title, options, 200, {
    pinned: "left",
    part: "name",
    narrowest: narrowed(title, options, options.width ?? 200, 0.5),
    need: (row) => {
      const { text, note } = read(row);
      if (typeof note === "string") return textWidth(`${text} ${note}`);
      // How wide what is drawn there is, is not known: as wide as the column was made for it.
      return note === undefined ? textWidth(text) : (options.width ?? 200) - padding;
    },
    cell: (row) => {
      const { text, to, note, logs } = read(row);
      return (
        <span className="w-cut" title={typeof note === "string" ? `${text} ${note}` : text}>
          {to === undefined ? (
            <span className="w-name">{text}</span>
          ) : (
            <Link className="w-link w-name" to={to} data-logs={logs}>
              {text}
            </Link>
          )}
          {note !== undefined && <span className="w-quiet"> {note}</span>}
        </span>
      );
    },
  });

/** Plain text, cut at the end. */
export const textColumn = <Row,>(
  key: string,
  title: string,
  read: (row: Row) => string | null,
  options: Options = {},
): Column<Row> =>
  column(key, title, options, 140, {
    narrowest: narrowed(title, options, options.width ?? 140, 0.6),
    need: (row) => textWidth(read(row) ?? ""),
    cell: (row) => {
      const text = read(row);
      if (text === null || text === "") return <Missing reason={options.missing} />;
      return (
        <span className="w-cut" title={text}>
          {text}
        </span>
      );
    },
  });

/** A state: icon and label. */
export const stateColumn = <Row,>(
  key: string,
  title: string,
  read: (row: Row) => StateLabel,
  options: Options = {},
): Column<Row> =>
  column(key, title, options, 120, {
    // Narrower ones would cut the longer English labels.
    width: Math.max(options.width ?? 120, 112),
    part: "state",
    need: (row) => stateNeed(read(row).label),
    cell: (row) => <StateText {...read(row)} />,
  });

/** As long as a text of how long ago something was gets. */
const longestSince = "2026-12-28";

/** A moment: the stamp, or how long ago. */
export const timeColumn = <Row,>(
  key: string,
  title: string,
  read: (row: Row) => Date | null,
  options: Options & { readonly form?: "stamp" | "since" } = {},
): Column<Row> =>
  column(key, title, options, options.form === "since" ? 120 : 176, {
    need: (row) => {
      const value = read(row);
      if (value === null) return 0;
      // How long ago it was changes by itself, and becomes a date: no column moves for that.
      return textWidth(options.form === "since" ? longestSince : stampText(value));
    },
    cell: (row) => (
      <TimeText value={read(row)} form={options.form ?? "stamp"} missing={options.missing} />
    ),
  });

/** A number at the right edge; its unit is in the title. */
export const numberColumn = <Row,>(
  key: string,
  title: string,
  read: (row: Row) => number | null,
  options: Options & { readonly digits?: number } = {},
): Column<Row> =>
  column(key, title, options, 112, {
    align: "right",
    cell: (row) => (
      <NumberText value={read(row)} digits={options.digits} missing={options.missing} />
    ),
  });

/** An amount of money, from minor units; below zero in the tone of trouble. */
export const moneyColumn = <Row,>(
  key: string,
  title: string,
  read: (row: Row) => number | null,
  options: Options & { readonly isSigned?: boolean } = {},
): Column<Row> =>
  column(key, title, options, 128, {
    align: "right",
    // A sum that came or went is what its row is about.
    ...(options.isSigned && { part: "state" }),
    cell: (row) => <Money value={read(row)} isSigned={options.isSigned} />,
  });

/** An id or address: monospaced, one that is too long for any column cut in the middle, with a button that copies all of it. */
export const copyColumn = <Row,>(
  key: string,
  title: string,
  read: (row: Row) => string | null,
  options: Options = {},
): Column<Row> =>
  column(key, title, options, 200, {
    need: (row) => copyNeed(read(row)?.length ?? 0),
    cell: (row) => {
      const text = read(row);
      if (text === null || text === "") return <Missing reason={options.missing} />;
      return <Copyable text={text} />;
    },
  });

const plainText = (value: unknown, field: string, t: Translate): string => {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return stampText(value);
  if (typeof value === "boolean") return t.code(/enable$/i.test(field) ? "enable" : "flag", value);
  return typeof value === "number" ? numberText(value) : String(value);
};

const cellOf = (value: unknown, field: string, t: Translate): ReactNode => {
  if (value === null || value === undefined || value === "") return <Missing />;
  if (value instanceof Date) return <TimeText value={value} />;
  if (typeof value === "boolean") return t.code(/enable$/i.test(field) ? "enable" : "flag", value);
  if (typeof value === "number") return <NumberText value={value} />;
  return (
    <span className="w-cut" title={String(value)}>
      {String(value)}
    </span>
  );
};

const remarkWidth = 160;
const widths: Readonly<Record<string, number>> = {
  createTime: 176,
  updateTime: 176,
  remark: remarkWidth,
};

/** Columns of fields that need no text of their own: the value's type decides. */
export const plainColumns = <R extends AnyResource>(
  resource: R,
  t: Translate,
  names: readonly (keyof RowOf<R> & string)[],
): Column<RowOf<R>>[] =>
  names.map((label) => ({
    key: label,
    // The one of them that is a sentence.
    ...(label === "remark" && { narrowest: narrowed(t.field(label), {}, remarkWidth, 0.6) }),
    title: t.field(label),
    width: widths[label] ?? 140,
    ...(resource.sort.includes(label) && { sort: label }),
    ...(label === "name" && { pinned: "left" as const, part: "name" as const }),
    need: (row) => textWidth(plainText((row as Record<string, unknown>)[label], label, t)),
    cell: (row) => cellOf((row as Record<string, unknown>)[label], label, t),
  }));
