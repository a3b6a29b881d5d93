import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { type ComponentType, createContext } from "react";

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
}

/** The button by which rows of a list go out to files and come in; null: there is none here. */
export const ListFilesContext = createContext<ComponentType<ListFilesProps> | null>(null);
