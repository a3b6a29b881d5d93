import { cpeState, createWorld, makeSites, newKey, popState } from "./trial/world.ts";
const sites = makeSites(); const [one,two,three]=sites; const popKey=newKey();
const world = await createWorld(sites);
const pop = await world.pop.edge(popKey);
const edges = await Promise.all(world.cpes.map((c,i)=>c.edge(sites[i]!.key)));
await pop.apply(popState([{site:one,slots:[1]},{site:two,slots:[1,2]},{site:three,slots:[1]}],popKey));
const wants=[cpeState(one,popKey,[1]),cpeState(two,popKey,[1,2]),cpeState(three,popKey,[1])];
for (const [i,e] of edges.entries()) await e.apply(wants[i]!);
const t0=performance.now();
for (let i=0;i<8;i++){ await new Promise(r=>setTimeout(r,1000)); console.log(Math.round(performance.now()-t0), (await world.pop.run(["ip","route"],{netns:"weft-s1"})).split("\n").filter(l=>/10.0.0.0|nexthop/.test(l)).join(" | ")); 
 if(i===2||i===7) console.log(await world.pop.run(["vtysh","--vty_socket","/run/weft-frr","-c","show bgp vrf weft-s1 ipv4 unicast 10.0.0.0/24","-c", "show route-map wl21-in"]));}
await world.remove(); process.exit(0);
