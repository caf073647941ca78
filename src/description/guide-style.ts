import { PAGE_STYLE } from '../operations/page-style.js';

/** The style of the guide: that of the other pages, and a table of contents beside the text where there is room. */
export const GUIDE_STYLE = `${PAGE_STYLE}body{margin:0 auto;max-width:76rem;padding:1.5rem 1rem 4rem}
@media (min-width:64rem){body{display:grid;grid-template-columns:17rem minmax(0,1fr);column-gap:3rem;padding:2rem 2rem 6rem}header{grid-column:1/-1}nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto}}
h2{font-size:1.5rem;line-height:1.25;margin:3rem 0 .75rem;padding-top:1.5rem;border-top:1px solid var(--line)}
main>section:first-child h2{margin-top:0;padding-top:0;border:0}
h3{font-size:1.1rem;margin:2rem 0 .5rem;overflow-wrap:anywhere}
h4{font-size:.95rem;margin:1.25rem 0 .35rem;color:var(--soft)}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
nav ul{list-style:none;padding:0;font-size:.95rem}
nav li ul{padding-left:1rem;margin:.15rem 0 .5rem}
nav li{margin:.2rem 0}
pre{background:var(--card);border:1px solid var(--line);border-radius:9px;padding:.85rem 1rem;margin:0 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;font-size:.85rem}
article{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.25rem;margin:0 0 1rem;min-width:0}
article pre{background:var(--paper)}
article h3{margin-top:0}
.method{display:inline-block;min-width:3.6em;font-weight:700;color:var(--leaf)}
.old{color:var(--rust)}
dt .soft{font-weight:400}
dd p{margin:0}
summary{cursor:pointer;color:var(--leaf);padding:.2rem 0}
@media print{nav{display:none}details::details-content{content-visibility:visible}}
`;
