/** The style of every page for the customer. It names no address, and works without a script, from right to left, and in the dark. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ink:#16213a;--soft:#55617a;--line:#cfd6e2;--field:#7b869c;--paper:#fff;--ground:#edf0f6;--accent:#1f4fd0;--on:#fff;--tint:#eef3ff;--bad:#ae2012;--bad-tint:#fdf1ef}
.gcash{--accent:#0057c8;--tint:#eaf3ff}.grab_pay{--accent:#00703c;--tint:#e8f6ee}
@media(prefers-color-scheme:dark){:root{--ink:#e9edf6;--soft:#a9b4c9;--line:#35415a;--field:#7d8aa5;--paper:#161e2f;--ground:#0b101b;--accent:#8fb5ff;--on:#0b1428;--tint:#1c2944;--bad:#ff9e92;--bad-tint:#331a1a}
.gcash{--accent:#7fb9ff}.grab_pay{--accent:#6fd7a0;--tint:#16332a}}
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);overflow-wrap:anywhere}
header{padding:.5rem 1rem;text-align:center;font-size:.875rem;color:#3a2500;background:repeating-linear-gradient(-45deg,#ffd873 0 .75rem,#ffe199 .75rem 1.5rem)}
main{display:grid;gap:1.25rem;max-width:30rem;margin:2rem auto;padding:0 1rem}
.panel{padding:1.75rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px #0b101b14,0 .75rem 2rem -1rem #0b101b33}
h1{margin:0;font-size:1.75rem;line-height:1.2;letter-spacing:-.02em}h2{margin:0 0 .25rem;font-size:1.125rem}h3{margin:1.25rem 0 .5rem;font-size:.875rem;color:var(--soft)}
p{margin:.5rem 0}small,.soft{color:var(--soft);font-size:.875rem}
.who{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;font-weight:600}
.mark{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:.75rem;color:var(--on);background:var(--accent)}
.amount{display:block;font-size:2.25rem;font-variant-numeric:tabular-nums}.pay{font-size:1rem;font-weight:500;letter-spacing:0;color:var(--soft)}
dl{display:grid;gap:.75rem;margin:1.25rem 0 0;padding-top:1.25rem;border-top:1px solid var(--line)}dt{color:var(--soft);font-size:.875rem}dd{margin:0}
form{margin:0}fieldset{min-width:0;margin:0;padding:0;border:0}legend{padding:0;margin-bottom:.75rem;font-size:1.125rem;font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.5rem}
.tile{display:flex;align-items:center;gap:.5rem;min-height:3.25rem;padding:.5rem .75rem;border:1px solid var(--field);border-radius:.75rem;font-weight:600;cursor:pointer}
.tile input{flex:none;width:1.125rem;height:1.125rem;margin:0;accent-color:var(--accent)}.tile:has(:checked){border-color:var(--accent);background:var(--tint);box-shadow:inset 0 0 0 1px var(--accent)}
.fields{display:grid;grid-template-columns:repeat(3,1fr);gap:.25rem .75rem;margin-top:1rem}.wide{grid-column:1/-1}
.for-wallet,fieldset:has([value=gcash]:checked,[value=grab_pay]:checked) .fields{display:none}fieldset:has([value=gcash]:checked,[value=grab_pay]:checked) .for-wallet{display:block}
.fields label{display:block;margin-top:.5rem;font-size:.875rem;font-weight:500}.fields input{width:100%;min-height:2.75rem;margin-top:.25rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--field);border-radius:.5rem}
[aria-invalid]{border-color:var(--bad)!important;box-shadow:inset 0 0 0 1px var(--bad)}.wrong{display:block;margin-top:.25rem;font-size:.875rem;color:var(--bad)}
.problem{padding:1rem 1.25rem;border:1px solid var(--bad);border-inline-start-width:.375rem;border-radius:.75rem;color:var(--bad);background:var(--bad-tint);font-weight:600}.problem p,.problem ul{margin:.25rem 0 0;font-weight:400}.problem ul{padding-inline-start:1.25rem}.problem a{color:inherit}
button,.button{display:block;width:100%;min-height:3rem;margin-top:.75rem;padding:.625rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;color:var(--accent);background:0 0;border:1px solid var(--field);border-radius:.75rem}
.first{margin-top:1.25rem;color:var(--on);background:var(--accent);border-color:transparent}.plain{border-color:transparent}
:is(button,.button):hover{filter:brightness(1.1)}:is(a,button,.tile):focus-visible,.tile:has(:focus-visible),.fields input:focus-visible,.problem:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.offers{display:grid;gap:.5rem;margin:0;padding:0;list-style:none}.offers button{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:baseline;justify-content:space-between;margin:0;font-weight:400;text-align:start;color:var(--ink)}.offers b{font-variant-numeric:tabular-nums}
.step,.step:target~.start,#left:target~.leave{display:none}.step:target{display:block}
@media(min-width:56rem){.hosted main{grid-template-columns:22rem 1fr;max-width:64rem;margin-top:3rem;align-items:start}.hosted .summary{grid-row:span 9;position:sticky;top:1rem}.offers{grid-template-columns:1fr 1fr}}
`;
