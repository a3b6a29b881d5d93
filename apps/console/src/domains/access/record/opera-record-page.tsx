import { OperationList } from "./operation-list.tsx";

/** Who changed what, when and from where. */
export default function OperaRecordPage() {
  return <OperationList />;
}
