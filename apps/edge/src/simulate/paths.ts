/** Paths of a simulated device: the choice of a real one, over metrics that look like those of a network. */
import type { PathLimits, SpacePaths } from "@weft/contract/device/v1/path-classes.ts";
import { type PathsSection, pathsSection } from "@weft/contract/device/v1/paths.ts";
import type { Machine } from "#drivers/driver.ts";
import type { Group } from "#drivers/paths/candidates.ts";
import { Choice, type Rank, shownState } from "#drivers/paths/choice.ts";
import { ClassChoices, measuredFor } from "#drivers/paths/class-choice.ts";
import { Moves } from "#drivers/paths/moves.ts";
import { type Measured, unmeasured } from "#drivers/paths/quality.ts";
import type { Clock } from "#edge/clock.ts";

/** Metrics of a link in the direction that the device sends in. */
export interface SimulatedPath {
  readonly id: number;
  readonly up: boolean;
  readonly rttMs: number | null;
  readonly jitterMs: number | null;
  readonly lossPercent: number | null;
}

const none: ReadonlyMap<number, Rank> = new Map();

const measuredOf = (path: SimulatedPath, limits: PathLimits): Measured => {
  if (!path.up) return { ...unmeasured, state: "blackout", level: 3 };
  const { rttMs, jitterMs, lossPercent } = path;
  const ratios = [
    ["loss", (lossPercent ?? 0) / limits.loss],
    ["delay", (rttMs ?? 0) / limits.rtt],
    ["jitter", (jitterMs ?? 0) / limits.jitter],
  ] as const;
  const [cause, badness] = ratios.reduce((one, other) => (other[1] > one[1] ? other : one));
  const level = badness <= 1 ? 0 : 1;
  return {
    state: level === 0 ? "ok" : "brownout",
    level,
    badness,
    isKnown: true,
    longBadness: badness,
    calmBadness: badness,
    cause: level === 0 ? null : cause,
    quality: { lossPercent, rttMs, jitterMs },
  };
};

/** What a link is for each class of its space. */
const classesOf = (path: SimulatedPath, section: PathsSection, space: SpacePaths | undefined) =>
  new Map([
    [null, measuredOf(path, space?.limits ?? section.limits)] as const,
    ...(space?.classes ?? []).map(({ name, limits }) => [name, measuredOf(path, limits)] as const),
  ]);

/**
 * @param applied settings of the driver of paths
 * @param paths of all links now
 */
export const simulatedPaths = (
  clock: Pick<Clock, "monotonic">,
  applied: () => ReadonlyMap<string, string>,
  paths: () => readonly SimulatedPath[],
): Pick<Machine, "paths" | "moves"> => {
  const now = () => clock.monotonic();
  const moves = new Moves(now);
  let section: PathsSection | null = null;
  let known = "";
  const returnAfterMs = () => (section?.returnAfter ?? 0) * 1_000;
  const choice = new Choice(returnAfterMs);
  const classes = new ClassChoices(returnAfterMs);
  const keep = (groups: readonly Group[], spaces: readonly SpacePaths[]): void => {
    choice.keep(groups, none, now());
    classes.keep(spaces, groups, new Map(), now());
  };
  return {
    moves,
    paths: () => {
      const [text, groups = "[]"] = [applied().get("limits"), applied().get("groups")];
      if (text === undefined) return [];
      section = pathsSection.parse(JSON.parse(text));
      const { spaces = [] } = section;
      const all = JSON.parse(groups) as Group[];
      if (`${text} ${groups}` !== known) keep(all, spaces);
      known = `${text} ${groups}`;
      const spaceOf = new Map(
        all.flatMap(({ links }) => links.map((link) => [link.id, link.spaceId])),
      );
      const current = section;
      const measured = new Map(
        paths().map((path) => {
          const space = spaces.find(({ spaceId }) => spaceId === spaceOf.get(path.id));
          return [path.id, classesOf(path, current, space)] as const;
        }),
      );
      moves.add(choice.take(measuredFor(measured, null), now()));
      moves.add(classes.take(measured, now()));
      const { used, ranks } = choice;
      return [...measured].flatMap(([link, byClass]) => {
        const plain = byClass.get(null);
        const carried = byClass.size > 1 ? { classes: classes.classesOn(link) } : {};
        return plain === undefined
          ? []
          : [
              {
                link,
                quality: plain.quality,
                ...carried,
                state: shownState(plain.state, choice.isFlapping(link)),
                used: used.has(link) || choice.rivals(link).length === 0,
                left: ranks.has(link),
              },
            ];
      });
    },
  };
};
