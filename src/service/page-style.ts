/** The style of every page for the customer. It names no address, and works without a script, from right to left, and in the dark. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ink:#131c33;--soft:#55617a;--line:#d9dfe9;--field:#79849b;--paper:#fff;--ground:#eff2f7;--accent:#1f4fd0;--on:#fff;--tint:#eef3ff;--good:#0b6b46;--bad:#ae2012;--bad-tint:#fdf1ef}
.gcash{--accent:#0057c8;--tint:#eaf3ff}.grab_pay{--accent:#00703c;--tint:#e8f6ee}
@media(prefers-color-scheme:dark){:root{--ink:#edf0f7;--soft:#a9b4c9;--line:#2c374e;--field:#7d8aa5;--paper:#151d2d;--ground:#0b101b;--accent:#8fb5ff;--on:#0b1428;--tint:#1c2944;--good:#6fd7a0;--bad:#ff9e92;--bad-tint:#331a1a}
.gcash{--accent:#7fb9ff}.grab_pay{--accent:#6fd7a0;--tint:#16332a}}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);overflow-wrap:anywhere}
header{padding:.5rem 1rem;text-align:center;text-wrap:balance;font-size:.875rem;color:#3a2500;background:repeating-linear-gradient(-45deg,#ffd873 0 .75rem,#ffe199 .75rem 1.5rem)}
main{display:grid;gap:1rem;max-width:30rem;margin:1.5rem auto 3rem;padding:0 1rem}
.panel{padding:1.25rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px #0b101b0f,0 1rem 2.5rem -1.5rem #0b101b40}
h1{margin:0;font-size:1.625rem;line-height:1.2;letter-spacing:-.02em;text-wrap:balance}h2{margin:0 0 .25rem;font-size:1.125rem}h3{margin:1.25rem 0 .5rem;font-size:.875rem;color:var(--soft)}
p{margin:.5rem 0}small,.soft{color:var(--soft);font-size:.875rem}
.who{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;font-weight:600}
.mark{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:.75rem;font-weight:700;color:var(--on);background:var(--accent)}
.pay{font-size:1rem;font-weight:500;letter-spacing:0;color:var(--soft)}.amount{display:block;margin-top:.25rem;font-size:2.5rem;font-weight:700;line-height:1.1;letter-spacing:-.03em;font-variant-numeric:tabular-nums;color:var(--ink)}
dl{display:grid;gap:.75rem;margin:1.25rem 0 0;padding-top:1.25rem;border-top:1px solid var(--line)}dt{color:var(--soft);font-size:.875rem}dd{margin:0}dd small{display:block}
form{margin:0}fieldset{min-width:0;margin:0;padding:0;border:0}legend{padding:0;margin-bottom:.75rem;font-size:1.125rem;font-weight:600}
.tiles{display:grid;gap:.5rem}
.tile{display:flex;align-items:center;gap:.625rem;min-height:3.5rem;padding:.5rem .875rem;border:1px solid var(--field);border-radius:.75rem;font-weight:600;white-space:nowrap;cursor:pointer}
.tile input{flex:none;width:1.125rem;height:1.125rem;margin:0;accent-color:var(--accent)}.tile:has(:checked){border-color:var(--accent);background:var(--tint);box-shadow:inset 0 0 0 1px var(--accent)}
.tile::after{content:"";flex:none;width:2.125rem;height:1.375rem;margin-inline-start:auto;border-radius:.25rem;font:700 .75rem/1.375rem system-ui,sans-serif;text-align:center;color:#fff;background:linear-gradient(#33415c 30%,#0b1428 30% 52%,#33415c 52%)}
.tile.gcash::after{content:"G"/"";background:#0057c8}.tile.grab_pay::after{content:"Grab"/"";font-size:.6875rem;background:#00703c}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:.25rem .75rem;margin-top:1rem}.wide{grid-column:1/-1}
.for-wallet,fieldset:has([value=gcash]:checked,[value=grab_pay]:checked) .fields{display:none}fieldset:has([value=gcash]:checked,[value=grab_pay]:checked) .for-wallet{display:block}
.fields label{display:block;margin-top:.5rem;font-size:.875rem;font-weight:500}.fields input{width:100%;min-height:2.875rem;margin-top:.25rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--field);border-radius:.5rem}
[aria-invalid]{border-color:var(--bad)!important;box-shadow:inset 0 0 0 1px var(--bad)}.wrong{display:block;margin-top:.25rem;font-size:.875rem;color:var(--bad)}
.problem{padding:1rem 1.25rem;border:1px solid var(--bad);border-inline-start-width:.375rem;border-radius:.75rem;color:var(--bad);background:var(--bad-tint)}.problem:focus{outline:0}.problem p,.problem ul{margin:.25rem 0 0}.problem ul{padding-inline-start:1.25rem}.problem a{color:inherit}
button,.button{display:block;width:100%;min-height:3rem;margin-top:.75rem;padding:.625rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;color:var(--accent);background:0 0;border:1px solid var(--field);border-radius:.75rem}
.first{margin-top:1.25rem;color:var(--on);background:var(--accent);border-color:transparent}.plain{margin-top:.25rem;border-color:transparent}
.first:hover{filter:brightness(1.08)}button:not(.first):hover,.button:not(.first):hover{background:var(--tint)}:is(a,button):focus-visible,.tile:has(:focus-visible),.fields input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.offers{display:grid;gap:.5rem;margin:0;padding:0;list-style:none}.offers li{display:grid}.offers button{display:grid;align-content:start;margin:0;padding:.625rem .75rem;font-weight:400;text-align:start;color:inherit;border-color:var(--line)}.offers b{white-space:nowrap;font-variant-numeric:tabular-nums}.offers small{font-size:.75rem}
.outcome{text-align:center;padding-top:2rem}.outcome .mark{width:3.5rem;height:3.5rem;margin:0 auto 1rem;border-radius:50%;font-size:1.5rem}.outcome dl{text-align:start}
.good{background:var(--good)}.bad{background:var(--bad)}.shut{background:var(--soft)}.good::before{content:"✓"}.bad::before{content:"!"}.shut::before{content:"✕"}.open::before{content:"…"}
.step,.step:target~.start,#left:target~.leave{display:none}.step:target{display:block;scroll-margin-top:min(28rem,60vh);outline:0}
@media(min-width:40rem){.panel{padding:1.75rem}.hosted main{max-width:40rem}.tiles,.fields{grid-template-columns:repeat(3,1fr)}.offers{grid-template-columns:1fr 1fr}}
@media(min-width:56rem){main{margin-top:3rem}.hosted main{grid-template-columns:21rem 1fr;gap:1.25rem;max-width:62rem;align-items:start}.hosted .summary{grid-row:span 9;position:sticky;top:1.25rem}}
`;
