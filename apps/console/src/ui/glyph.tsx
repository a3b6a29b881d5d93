import type { ReactElement } from "react";
import type { ColourRole } from "./tokens.ts";

/** What a state's icon looks like: shape first, colour second, so that grey print still reads. */
export type Glyph =
  | "ok"
  | "bad"
  | "warn"
  | "diff"
  | "run"
  | "off"
  | "disabled"
  | "unknown"
  | "unsupported"
  | "critical"
  | "major"
  | "minor"
  | "notice";

/** Rising bars, `count` of four filled: a severity. */
const bars = (count: number) => (
  <g>
    {[0, 1, 2, 3].map((at) => (
      <rect
        key={at}
        x={at * 3 + 0.25}
        y={9 - at * 3}
        width={2.5}
        height={3 + at * 3}
        fill="currentColor"
        opacity={at < count ? 1 : 0.22}
      />
    ))}
  </g>
);

const ring = (dash?: string) => (
  <circle
    cx={6}
    cy={6}
    r={4.6}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    {...(dash !== undefined && { strokeDasharray: dash })}
  />
);

interface Shape {
  readonly colour: ColourRole;
  readonly shape: ReactElement;
}

const shapes: Readonly<Record<Glyph, Shape>> = {
  ok: { colour: "ok", shape: <circle cx={6} cy={6} r={5} fill="currentColor" /> },
  bad: { colour: "bad", shape: <rect x={1} y={1} width={10} height={10} fill="currentColor" /> },
  warn: { colour: "warn", shape: <path d="M6 .8 11.7 11H.3Z" fill="currentColor" /> },
  diff: { colour: "diff", shape: <path d="M6 .2 11.8 6 6 11.8.2 6Z" fill="currentColor" /> },
  run: {
    colour: "run",
    shape: (
      <g>
        {ring()}
        <path d="M6 1.4a4.6 4.6 0 0 0 0 9.2Z" fill="currentColor" />
      </g>
    ),
  },
  off: { colour: "off", shape: ring() },
  disabled: {
    colour: "off",
    shape: (
      <g>
        {ring()}
        <path d="M2.8 9.2 9.2 2.8" stroke="currentColor" strokeWidth={1.8} />
      </g>
    ),
  },
  // Eight dashes on the circumference of 28.9.
  unknown: { colour: "off", shape: ring("2 1.613") },
  unsupported: {
    colour: "off",
    shape: (
      <path d="M6 1.2 10.8 6 6 10.8 1.2 6Z" fill="none" stroke="currentColor" strokeWidth={1.6} />
    ),
  },
  critical: { colour: "bad", shape: bars(4) },
  major: { colour: "major", shape: bars(3) },
  minor: { colour: "warn", shape: bars(2) },
  notice: { colour: "run", shape: bars(1) },
};

const cssColour = (glyph: Glyph): string => `var(--w-${shapes[glyph].colour})`;

interface GlyphProps {
  readonly glyph: Glyph;
  /** The label, where it is not shown beside the icon. */
  readonly label?: string;
  /** px. */
  readonly size?: number;
}

/** The sign alone. */
export function StatusGlyph({ glyph, label, size = 12 }: GlyphProps) {
  const box = { width: size, height: size, viewBox: "0 0 12 12" };
  const style = { color: cssColour(glyph) };
  const { shape } = shapes[glyph];
  if (label === undefined) {
    return (
      <svg {...box} style={style} aria-hidden="true">
        {shape}
      </svg>
    );
  }
  return (
    <svg {...box} style={style} role="img" aria-label={label}>
      {shape}
    </svg>
  );
}

export interface StateLabel {
  readonly glyph: Glyph;
  readonly label: string;
  /** More to say on hover: since when, why. */
  readonly hint?: string | undefined;
}

/** A state as users see it: icon and label. */
export function StateText({ glyph, label, hint }: StateLabel) {
  return (
    <span className="w-state" title={hint}>
      <StatusGlyph glyph={glyph} />
      <span>{label}</span>
    </span>
  );
}

export interface StateCount extends StateLabel {
  readonly count: number;
}

interface CountsProps {
  readonly counts: readonly StateCount[];
  readonly onPick?: ((glyph: Glyph) => void) | undefined;
}

/** States of a group with their counts, the worst first; a click filters by one. */
export function StateCounts({ counts, onPick }: CountsProps) {
  return (
    <span className="w-counts">
      {counts.map((count) =>
        onPick ? (
          <button
            key={count.glyph}
            type="button"
            className="w-link-button w-count"
            onClick={() => onPick(count.glyph)}
          >
            <Count one={count} />
          </button>
        ) : (
          <Count key={count.glyph} one={count} />
        ),
      )}
    </span>
  );
}

function Count({ one }: { readonly one: StateCount }) {
  return (
    <span className="w-state" title={one.label}>
      <StatusGlyph glyph={one.glyph} label={one.label} />
      {one.count}
    </span>
  );
}
