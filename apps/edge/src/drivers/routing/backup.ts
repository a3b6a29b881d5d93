/**
 * Which of several devices that announce one network is taken, whatever a receiver's own preference of a link is. Marks
 * travel with the routes through every reflector. Pure.
 *
 * A site with two devices: both announce its networks, and what comes from the one that stands by is taken only where
 * nothing else leads there. It says so by the well-known community of RFC 8326.
 *
 * Two sites with one network: each has a place of its own (`ranks`), as a community, and the lowest place that there is a
 * route to is taken; among the links to it the receiver's own preference decides as ever.
 */
import { ranges } from "@weft/contract/rules/number.ts";
import { type ConfigLine, top, under } from "./lines.ts";

const name = "backup";
const community = "graceful-shutdown";

/** Of the private AS number that no space has: those of spaces have 32 bits. */
const rankCommunity = (place: number): string => `64512:${place}`;
const rankName = (place: number): string => `rank-${place}`;

/** Beyond every preference of a link (1 to 1,000), so that the place of a site decides first. */
const rankStep = 10_000;

/** In an entry of a map of what is announced. */
export const tagOf = (backsUp: boolean, place: number | null): string[] => {
  // In the order of their numbers, as FRR shows them.
  const marks = [
    ...(place === null ? [] : [rankCommunity(place)]),
    ...(backsUp ? [community] : []),
  ];
  return marks.length === 0 ? [] : [`set community ${marks.join(" ")}`];
};
/** In an entry that had the mark of a device that stands by, and no other. */
export const untag = `no set community ${community}`;
/** In an entry of a map of what is taken: it runs after everything that the entry sets. */
export const backupCall = `call ${name}`;

const [first, last] = ranges.sitePreference;
const places = Array.from({ length: last - first + 1 }, (_, at) => first + at);

const entry = (seq: number, ...lines: string[]): ConfigLine[] => {
  const header = `route-map ${name} permit ${seq}`;
  return [top(header), ...lines.map(under(header))];
};

export const backupMap: readonly ConfigLine[] = [
  top(`bgp community-list standard ${name} seq 5 permit ${community}`),
  ...places.map((place) =>
    top(`bgp community-list standard ${rankName(place)} seq 5 permit ${rankCommunity(place)}`),
  ),
  ...entry(10, `match community ${name}`, "set local-preference 0"),
  ...places.flatMap((place) =>
    entry(
      10 + place,
      `match community ${rankName(place)}`,
      `set local-preference +${(last + 1 - place) * rankStep}`,
    ),
  ),
  ...entry(20),
];
