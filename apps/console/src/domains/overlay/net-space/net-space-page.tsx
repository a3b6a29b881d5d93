import { NetSpaceList } from "#domains/overlay/parts/net-space/net-space-list.tsx";

/** Isolated overlays, each of one enterprise (section 2.3). */
export default function NetSpacePage() {
  return <NetSpaceList />;
}
