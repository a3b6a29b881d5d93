import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { Needed } from "@weft/contract/permissions.ts";
import { type ComponentType, createContext } from "react";

/** A way on from a list that does not earn a button of its own. */
export interface FurtherWay {
  readonly key: string;
  readonly label: string;
  readonly may?: Needed | null;
  /** Opens a page… */
  readonly to?: string;
  /** …or does something. */
  readonly run?: () => void;
}

export interface ListFilesProps {
  /** A list, by what it was asked with; one of no resource has no files. */
  readonly list: {
    readonly resource?: AnyResource;
    readonly input: Readonly<Record<string, unknown>>;
    /** Rows that match; null: not known yet. */
    readonly count: number | null;
  };
  /** What rows of the list have within, with files of its own: the WAN links of all CPEs. */
  readonly parts?: readonly AnyResource[] | undefined;
  /** In the same menu, before the files. */
  readonly more?: readonly FurtherWay[] | undefined;
}

/** The button by which rows of a list go out to files and come in; null: there is none here. */
export const ListFilesContext = createContext<ComponentType<ListFilesProps> | null>(null);
