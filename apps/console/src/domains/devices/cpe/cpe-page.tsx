import { CpeListPage } from "./cpe-list.tsx";

/** Devices at customers' sites, the worst first (section 2.3). */
export default function CpePage() {
  return <CpeListPage />;
}
