import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import type { Operation } from "./record-texts.ts";

/** Address of the device or template that an operation was about; null: there is none any more. */
export const placePath = ({ nodeId, nodeKind, templateId }: Operation): string | null => {
  if (nodeId !== null && nodeKind !== null) {
    return nodeKind === "cpe" ? paths.cpeDetail(nodeId) : paths.popDetail(nodeId);
  }
  return templateId === null ? null : paths.templateSection(templateId);
};

interface Props {
  readonly operation: Operation;
  /** Of an operation without a place. */
  readonly otherwise: ReactNode;
}

/** The device or template that an operation was about, with the way there. */
export function PlaceLink({ operation, otherwise }: Props) {
  const name = operation.nodeName || operation.templateName;
  if (name === "") return otherwise;
  const to = placePath(operation);
  if (to === null) return name;
  return (
    <Link className="w-link w-cut" to={to} title={name}>
      {name}
    </Link>
  );
}
