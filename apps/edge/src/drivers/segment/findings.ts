/** What a device says of segment routes that do not act. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";

/** By id why it does not act. */
export type CutSegments = ReadonlyMap<number, "segmentCut" | "segmentEnd">;

export interface SegmentFacts {
  /** Segment routes that do not act at the moment. */
  readonly cutSegments: CutSegments;
}

/** Only seen: nothing of the state is left out for it. */
export const segmentFindings = (
  { segments = [] }: DesiredState,
  { cutSegments }: SegmentFacts,
): Finding[] =>
  segments.flatMap(({ spaceId, routes }) =>
    routes.flatMap(({ id, destination }): Finding[] => {
      const reason = cutSegments.get(id);
      return reason === undefined
        ? []
        : [
            {
              section: `segment.${spaceId}`,
              kind: "segment",
              object: destination,
              reason,
              params: { id: `${id}` },
            },
          ];
    }),
  );
