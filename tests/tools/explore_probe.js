// Moves the controls of a page of `gpumodel explore` and writes down what it shows after each step, one line each.
(function () {
  'use strict';
  const lines = [];
  const faults = [];
  const text = function (id) { const e = document.getElementById(id); return e ? e.textContent : ''; };
  const value = function (id) { const e = document.getElementById(id); return e ? e.getAttribute('value') : ''; };

  function note() {
    if (document.getElementById('refused')) {
      lines.push(text('command') + '|refused|' + text('reason'));
      return;
    }
    const figures = ['time_us', 'cycles', 'gflops', 'threads_per_block', 'registers_per_thread', 'shared_bytes_per_block',
      'blocks_per_sm', 'theoretical_occupancy', 'achieved_occupancy', 'waves'];
    lines.push([text('command')].concat(figures.map(value), text('bottleneck'), value('error_band_pct')).join('|'));
  }

  function expect(holds, what) {
    if (!holds) faults.push(what);
  }

  // Every value of every control in turn, as a click chooses it.
  function clickThrough() {
    const names = new Set();
    document.querySelectorAll('input[type=radio]').forEach(function (r) { names.add(r.name); });
    names.forEach(function (name) {
      const count = document.querySelectorAll('input[name="' + name + '"]').length;
      for (let i = 0; i < count; i += 1) {
        document.querySelectorAll('input[name="' + name + '"]')[i].click();
        expect(document.querySelectorAll('input[name="' + name + '"]')[i].checked, name + ' keeps its choice');
        note();
        const nearest = document.getElementById('nearest');
        if (nearest) {
          nearest.click();
          expect(!document.getElementById('refused'), 'the nearest tile is allowed');
          note();
        }
      }
    });
  }

  function choose(id, index) {
    const control = document.getElementById(id);
    control.selectedIndex = index;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }

  function bestTile() {
    const button = document.querySelector('button[data-tile]');
    if (!button) return;
    button.click();
    const row = document.querySelector('#best tr.win td.n');
    expect(row && row.textContent === text('time_us'), 'the first of the best tiles has the time shown');
    note();
  }

  function mapCells() {
    for (let i = 0; i < 2; i += 1) {
      const cells = document.querySelectorAll('button[data-cell]');
      if (cells.length <= i) return;
      const words = cells[cells.length - 1 - i].textContent;
      cells[cells.length - 1 - i].click();
      expect(words === text('time_us'), 'a cell of the map holds the time of its tile: ' + words + ', ' + text('time_us'));
      note();
    }
  }

  // `numbers`: what C prints of them
  let compared = 0;
  numbers.trim().split('\n').forEach(function (line) {
    const w = line.split(' ');
    const text = w[0] === 'fixed' ? Format.fixed(Number(w[1]), Number(w[2])) : Format.fourDigits(Number(w[1]));
    expect(text === w[3], line + ', not ' + text);
    compared += 1;
  });
  expect(compared > 60, 'numbers are compared');

  note();
  [0, 1].forEach(function (gpu) {
    choose('gpu', gpu);
    note();
    clickThrough();
    bestTile();
    mapCells();
  });
  const hash = location.hash;
  const before = lines[lines.length - 1];
  choose('kernel', 1);
  note();
  clickThrough();
  choose('gpu', 0);
  note();
  // what the address says is shown again, whatever stood there; nonsense in it is passed over
  history.replaceState(null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
  note();
  expect(lines[lines.length - 1] === before, 'the address brings the state back');
  history.replaceState(null, '', '#kernel=nothing&BM=7&x=%3Cb%3E&clock=');
  dispatchEvent(new HashChangeEvent('hashchange'));
  note();
  const pre = document.createElement('pre');
  pre.id = 'probe';
  pre.textContent = '\n' + lines.join('\n') + '\n';
  document.body.appendChild(pre);
  faults.forEach(function (fault) { console.error(fault); });
})();
