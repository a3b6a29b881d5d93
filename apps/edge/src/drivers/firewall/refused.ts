/**
 * Which objects of a state nft or the kernel does not take (ADR 0046). Their messages name lines of one load at most, and
 * lines are made of several objects: what is refused is found by leaving objects out. Pure but for the check.
 */
import { shapedDirections } from "@weft/contract/device/v1/shaping.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import type { Refusal, Refused } from "#drivers/refusals.ts";
import {
  absentForm,
  type Candidate,
  leftOut,
  networkForms,
  policyCandidates,
} from "#drivers/refused-policy.ts";
import {
  accelerationName,
  acceptName,
  announceName,
  bandwidthName,
  circuitName,
  exitName,
  insideName,
  lineRateName,
  linkName,
  poolName,
  rateName,
  routeName,
  routerName,
  withoutRefused,
} from "#drivers/without-refused.ts";

/** Links that end in a namespace, and networks that are taken from their other ends; each once. */
const linkCandidates = ({ tunnels, routings }: DesiredState, netns: string | null): Candidate[] => {
  const ended = tunnels.filter((tunnel) => tunnel.netns === netns);
  const linkIds = new Set(ended.flatMap(({ links }) => links.map(({ id }) => id)));
  const accepted = routings.flatMap(({ spaceId, neighbors }) => {
    const here = neighbors.filter(({ linkId }) => linkIds.has(linkId));
    const prefixes = new Set(here.flatMap(({ accept }) => (accept ?? []).map(networkOf)));
    return [...prefixes].map((prefix) => acceptName(spaceId, prefix));
  });
  const links = ended.flatMap(({ spaceId, links }) => links.map((link) => linkName(spaceId, link)));
  return [...links, ...accepted].map(leftOut);
};

/** Networks that must stay inside their space, each once. What of them is refused stays inside as part of a wider one. */
const insideCandidates = ({ spaces = [] }: DesiredState, netns: string | null): Candidate[] =>
  spaces
    .filter((space) => space.netns === netns)
    .flatMap(({ spaceId, networks }) =>
      [...new Set(networks.map(networkOf))].map((network) => ({
        about: insideName(spaceId, network),
        forms: networkForms(network),
      })),
    );

/** What a site announces, leads elsewhere or has as neighbours. */
const siteCandidates = ({ routings, static: { routes }, site }: DesiredState): Candidate[] => [
  ...routings.flatMap(({ spaceId, netns, announce }) =>
    netns === null ? announce.map((prefix) => leftOut(announceName(spaceId, prefix))) : [],
  ),
  ...routes.map(({ destination }) => leftOut(routeName(destination))),
  ...(site?.neighbors ?? []).map(({ address }) => leftOut(routerName(address))),
  ...(site?.interfaces ?? []).map(({ interfaceName }) => leftOut(routerName(interfaceName))),
];

/** Rates that packets have classes of. */
const rateCandidates = ({ shaping, policy, underlay: { lines } }: DesiredState): Candidate[] => [
  ...(policy?.tunnels ?? []).map(({ id }) => leftOut(bandwidthName(id))),
  ...shapedDirections.flatMap((way) =>
    typeof shaping?.[way] === "number" ? [leftOut(rateName(way))] : [],
  ),
  ...(shaping?.lines ?? []).flatMap(({ slot }) =>
    lines.flatMap((line) =>
      line.slot === slot ? [leftOut(lineRateName(line.interfaceName))] : [],
    ),
  ),
];

/** Objects of the rules of a namespace; what others refer to comes before them. */
export const candidatesIn = (state: DesiredState, netns: string | null): Candidate[] => {
  const { shaping, accelerations = [], clients = [] } = state;
  return [
    ...linkCandidates(state, netns),
    // The ways out of spaces have an end in the main namespace, too.
    ...accelerations
      .filter(
        (acceleration) =>
          acceleration.exit !== null && (netns === null || acceleration.netns === netns),
      )
      .map((acceleration) => leftOut(exitName(acceleration))),
    ...insideCandidates(state, netns),
    ...(netns === null
      ? [...rateCandidates(state), ...policyCandidates(state), ...siteCandidates(state)]
      : []),
    ...(shaping?.circuits ?? []).map(({ id }) => leftOut(circuitName(id))),
    ...accelerations
      .filter((acceleration) => acceleration.netns === netns)
      .flatMap(({ spaceId, groups }) =>
        groups.map((group) => leftOut(accelerationName(spaceId, group))),
      ),
    ...clients
      .filter((client) => client.netns === netns)
      .map(({ interfaceName }) => leftOut(poolName(interfaceName))),
  ];
};

/** What is left out of the state, or denied in another form. */
export const leaveOut = (state: DesiredState, out: readonly Refused[]): DesiredState => {
  const refusals = out.map(
    ({ about, why, form }): Refusal => ({
      ...about,
      why,
      ...(form !== undefined && { form }),
      instead: null,
      tries: 1,
      isOut: true,
    }),
  );
  return withoutRefused(state, refusals, []);
};

/** Checks of one search: with more of them the reason is none that each object has by itself. */
const maxChecks = 300;

/**
 * Objects that are refused, each for itself, and of denials the narrowest form that is not.
 * @param check why rules without these objects are refused; null: they are not
 * @returns null: there are none, or too many
 */
export const findRefused = async (
  candidates: readonly Candidate[],
  check: (out: readonly Refused[]) => Promise<string | null>,
): Promise<readonly Refused[] | null> => {
  const waiting = new Set(candidates);
  const refused: Refused[] = [];
  let checks = 0;
  const whyWithout = (out: readonly Refused[]): Promise<string | null> => {
    checks += 1;
    return check(out);
  };
  const waitingBut = (some: readonly Candidate[]): Refused[] => {
    const kept = new Set(some);
    return [...waiting]
      .filter((candidate) => !kept.has(candidate))
      .map(({ about }) => ({ about, why: "", form: absentForm }));
  };
  const formed = async ({ about, forms }: Candidate, why: string): Promise<Refused> => {
    const others = [...refused, ...waitingBut([])];
    for (const form of forms) {
      const attempt = { about, why, form };
      if ((await whyWithout([...others, attempt])) === null) return attempt;
    }
    return { about, why };
  };
  /** False: there were too many checks. */
  const examine = async (some: readonly Candidate[]): Promise<boolean> => {
    if (checks >= maxChecks) return false;
    const why = await whyWithout([...refused, ...waitingBut(some)]);
    if (why !== null && some.length > 1) {
      const middle = some.length >> 1;
      return (await examine(some.slice(0, middle))) && (await examine(some.slice(middle)));
    }
    for (const candidate of some) waiting.delete(candidate);
    const [only] = some;
    if (why !== null && only) refused.push(await formed(only, why));
    return true;
  };
  const base = await whyWithout(waitingBut([]));
  if (base !== null) return null;
  const isWhole = await examine(candidates);
  return isWhole && refused.length > 0 ? refused : null;
};
