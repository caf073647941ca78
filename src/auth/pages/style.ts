/** The one style sheet of the pages: paper by day, dusk by night, legible from 320 px up, no picture and no script. */
export const STYLE = `
*,*::before,*::after{box-sizing:border-box}
:root{color-scheme:light dark;--ink:#24301f;--soft:#566350;--paper:#f4f2ea;--card:#fffefb;--line:#d9d7c9;--field:#83907a;--leaf:#2d6a3e;--leaf-deep:#22552f;--on-leaf:#fff;--tint:#eaf1e6;--rust:#8f2f1b;--rust-tint:#fbeae4}
@media (prefers-color-scheme:dark){:root{--ink:#e9ece2;--soft:#b1baa8;--paper:#171b15;--card:#20261d;--line:#3a4235;--field:#7c8873;--leaf:#8fcf9a;--leaf-deep:#a9dcb1;--on-leaf:#12200f;--tint:#26332a;--rust:#ffb4a0;--rust-tint:#3d231c}}
html{font:100%/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%}
body{margin:0;min-height:100svh;display:flex;flex-direction:column;align-items:center;padding:clamp(1rem,6vh,4rem) 1rem 2rem}
header,main,footer{width:100%;max-width:28rem}
body.wide header,body.wide main,body.wide footer{max-width:40rem}
header{display:flex;align-items:center;gap:.6rem;margin-bottom:1.25rem;font-weight:600;letter-spacing:.01em}
header svg{width:1.75rem;height:1.75rem;color:var(--leaf);flex:none}
main{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:clamp(1.25rem,5vw,2rem);box-shadow:0 1px 2px rgb(0 0 0/.05),0 12px 32px -18px rgb(0 0 0/.25)}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem;letter-spacing:-.01em;text-wrap:balance;overflow-wrap:anywhere}
h2{font-size:1rem;margin:1.5rem 0 .5rem;overflow-wrap:anywhere}
p{margin:0 0 1rem}
.soft{color:var(--soft)}
.small,small{font-size:.9rem}
.after{margin:1.25rem 0 0}
label,legend{font-weight:600}
label.field{display:block;margin:1rem 0 .3rem}
input[type=email],input[type=password]{width:100%;min-height:2.9rem;padding:.5rem .8rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--field);border-radius:9px}
button{width:100%;min-height:2.9rem;padding:.5rem 1.1rem;font:inherit;font-weight:600;border-radius:9px;border:1px solid transparent;background:var(--leaf);color:var(--on-leaf);cursor:pointer}
button:hover{background:var(--leaf-deep)}
button.quiet{background:transparent;color:var(--ink);border-color:var(--field)}
button.quiet:hover{background:var(--tint)}
button.link{width:auto;min-height:1.75rem;padding:0 .1rem;background:none;border:0;color:var(--leaf);text-decoration:underline;text-underline-offset:.2em}
button.small{width:auto;min-height:2.4rem;font-size:.9rem}
:focus-visible{outline:3px solid var(--leaf);outline-offset:2px}
.buttons{display:grid;gap:.6rem;margin-top:1.5rem}
@media (min-width:26rem){.buttons.two{grid-template-columns:1fr 1fr}}
ul.scopes{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
ul.scopes li{padding:.6rem 0 .6rem 1.7rem;border-bottom:1px solid var(--line);position:relative}
ul.scopes li::before{content:"";position:absolute;left:.25rem;top:1rem;width:.75rem;height:.4rem;border:solid var(--leaf);border-width:0 0 2px 2px;transform:rotate(-45deg)}
fieldset{border:0;margin:1.5rem 0 0;padding:0;min-width:0}
legend{padding:0;margin:0 0 .5rem}
label.choice{display:flex;gap:.75rem;align-items:center;font-weight:400;padding:.6rem .8rem;margin-bottom:.5rem;border:1px solid var(--line);border-radius:9px;min-height:2.75rem;overflow-wrap:anywhere;cursor:pointer}
label.choice:hover{background:var(--tint)}
label.choice:has(:checked){border-color:var(--leaf);background:var(--tint)}
label.choice span{min-width:0}
input[type=checkbox]{width:1.2rem;height:1.2rem;accent-color:var(--leaf);flex:none;margin:0}
.notice{border-radius:9px;padding:.7rem .9rem;margin:0 0 1rem;background:var(--rust-tint);color:var(--rust);font-weight:500}
.facts{margin:0 0 .9rem;font-size:.95rem}
.facts dt{color:var(--soft);font-size:.85rem}
.facts dd{margin:0 0 .45rem;overflow-wrap:anywhere}
article{border-top:1px solid var(--line);padding:1.25rem 0 .25rem}
article h2{margin-top:0;font-size:1.1rem}
article form{margin-bottom:1rem}
code{font-size:.95em;overflow-wrap:anywhere}
footer{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between;align-items:baseline;margin-top:1rem;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
@media (prefers-reduced-motion:no-preference){button,label.choice{transition:background-color .12s}}
@media (forced-colors:active){button{border-color:ButtonText}}
`;
