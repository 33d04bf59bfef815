// What the page holds: columns of figures (tools/views/explore_page/number_column.h) of every launch that is
// no refused one, in the order GPU, M, N, K, parameters (the last one fastest), with the clocks of a launch side
// by side. Nothing here computes a prediction, and nothing is interpolated.
const Data = (function () {
  'use strict';
  const raw = JSON.parse(document.getElementById('data').textContent);
  const clocks = raw.clocks.length;

  function bytes(text) {
    const binary = atob(text);
    const array = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i += 1) array[i] = binary.charCodeAt(i);
    return array.buffer;
  }

  // at(row, clock)
  function column(packed) {
    if ('c' in packed) {
      const constant = packed.c === null ? NaN : packed.c;
      return { at: function () { return constant; } };
    }
    const per = packed.per;
    const place = function (row, clock) { return per === 1 ? row : row * per + clock; };
    if ('f' in packed) {
      const values = new Float64Array(bytes(packed.f));
      return { at: function (row, clock) { return values[place(row, clock)]; } };
    }
    const distinct = new Float64Array(bytes(packed.u));
    const indices = new { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[packed.w](bytes(packed.i));
    return { at: function (row, clock) { return distinct[indices[place(row, clock)]]; } };
  }

  function columns(packed) {
    const result = {};
    Object.keys(packed).forEach(function (name) { result[name] = column(packed[name]); });
    return result;
  }

  // Everything that can be chosen for a kernel: GPU, clock, sizes, then its parameters.
  function dimensions(kernel) {
    const list = [
      { key: 'GPU', label: 'GPU', values: raw.gpus.map(function (g) { return g.arch; }) },
      { key: 'clock', label: 'SM clock', values: raw.clocks },
      { key: 'M', label: 'rows of C', values: kernel.m.map(String) },
      { key: 'N', label: 'columns of C', values: kernel.n.map(String) },
      { key: 'K', label: 'inner dimension', values: kernel.k.map(String) }
    ];
    kernel.axes.forEach(function (axis) {
      list.push({ key: axis.key, label: axis.meaning, values: axis.values, tile: true, start: axis.start });
    });
    return list;
  }

  function unpacked(kernel) {
    const tiles = kernel.axes.reduce(function (count, axis) { return count * axis.values.length; }, 1);
    const launches = raw.gpus.length * kernel.m.length * kernel.n.length * kernel.k.length * tiles;
    const refused = column(kernel.refused);
    const rows = new Int32Array(launches);  // of the columns; -1: refused
    let row = 0;
    for (let i = 0; i < launches; i += 1) rows[i] = refused.at(i, 0) === 0 ? row++ : -1;
    return {
      name: kernel.name, summary: kernel.summary, code: kernel.code, axes: kernel.axes,
      following: kernel.following.map(function (f) { return { key: f.key, values: column(f.values) }; }),
      dimensions: dimensions(kernel), tiles: tiles, sizes: [kernel.m.length, kernel.n.length, kernel.k.length],
      rows: rows, refused: refused, once: columns(kernel.once), times: columns(kernel.times),
      bounds: kernel.bounds.map(column)
    };
  }

  const kernels = raw.kernels.map(unpacked);

  // A state is {kernel, at: [index of each dimension]}.
  function tileOf(kernel, at) {
    let tile = 0;
    kernel.axes.forEach(function (axis, i) { tile = tile * axis.values.length + at[5 + i]; });
    return tile;
  }

  function tileDigits(kernel, tile) {
    const digits = [];
    for (let i = kernel.axes.length - 1; i >= 0; i -= 1) {
      digits[i] = tile % kernel.axes[i].values.length;
      tile = Math.floor(tile / kernel.axes[i].values.length);
    }
    return digits;
  }

  // Of the first tile of a GPU and shape.
  function firstLaunch(kernel, at) {
    const s = kernel.sizes;
    return (((at[0] * s[0] + at[2]) * s[1] + at[3]) * s[2] + at[4]) * kernel.tiles;
  }

  function seconds(kernel, launch, clock) {
    const row = kernel.rows[launch];
    return row < 0 ? NaN : kernel.times.seconds.at(row, clock);
  }

  function occupancy(index) {
    const result = {};
    raw.occupancy_names.forEach(function (name, i) { result[name] = raw.occupancies[index][i]; });
    result.limiters = raw.limiters[result.limiters];
    ['over_registers', 'over_threads', 'over_shared'].forEach(function (name) { result[name] = raw.cliffs[result[name]]; });
    return result;
  }

  function boundsOf(kernel, row, clock, point) {
    const mask = kernel.times.bottlenecks.at(row, clock);
    const list = [];
    kernel.bounds.forEach(function (cycles, kind) {
      const value = cycles.at(row, clock);
      if (!(value > 0)) return;
      const named = raw.bound_kinds[kind];
      const launch = named.name === 'launch';
      list.push({
        name: named.name, formula: named.formula, cycles: value,
        limits: Math.floor(mask / Math.pow(2, kind)) % 2 === 1,
        share: launch ? point.launch_seconds / point.seconds
                      : value / point.cycles * (point.seconds - point.launch_seconds) / point.seconds
      });
    });
    return list.sort(function (a, b) { return b.cycles - a.cycles; });
  }

  // Parameters without a control: [{key, value}].
  function following(state) {
    const kernel = kernels[state.kernel];
    const launch = firstLaunch(kernel, state.at) + tileOf(kernel, state.at);
    return kernel.following.map(function (f) { return { key: f.key, value: f.values.at(launch, 0) }; });
  }

  // All that is known of a state: {refused} or its figures.
  function point(state) {
    const kernel = kernels[state.kernel];
    const clock = state.at[1];
    const launch = firstLaunch(kernel, state.at) + tileOf(kernel, state.at);
    const row = kernel.rows[launch];
    if (row < 0) return { refused: raw.reasons[kernel.refused.at(launch, 0) - 1] };
    const p = {};
    ['once', 'times'].forEach(function (group) {
      Object.keys(kernel[group]).forEach(function (name) { p[name] = kernel[group][name].at(row, clock); });
    });
    p.occupancy = occupancy(p.occupancy);
    p.program = raw.programs[p.program];
    p.peak_unit = raw.peak_units[p.peak_unit];
    p.registers_source = raw.register_sources[p.registers_source];
    p.pictures = raw.picture_sets[p.pictures].map(function (item) {
      return { sites: item.sites, picture: raw.pictures[item.picture] };
    });
    p.bounds = boundsOf(kernel, row, clock, p);
    return p;
  }

  // Tiles of the state's GPU, shape and clock with a time, fastest first; ties in the grid's order.
  function ranking(state) {
    const kernel = kernels[state.kernel];
    const first = firstLaunch(kernel, state.at);
    const list = [];
    for (let tile = 0; tile < kernel.tiles; tile += 1) {
      const time = seconds(kernel, first + tile, state.at[1]);
      if (time > 0) list.push({ tile: tile, seconds: time });
    }
    return list.sort(function (a, b) { return a.seconds - b.seconds || a.tile - b.tile; });
  }

  function atTile(state, tile) {
    const kernel = kernels[state.kernel];
    return { kernel: state.kernel, at: state.at.slice(0, 5).concat(tileDigits(kernel, tile)) };
  }

  function changed(state, dimension, index) {
    const at = state.at.slice();
    at[dimension] = index;
    return { kernel: state.kernel, at: at };
  }

  // The legal tile with the fewest changed parameters, of those the one with the smallest steps, then the
  // fastest; null if the GPU and shape have none.
  function nearestLegal(state) {
    const kernel = kernels[state.kernel];
    let best = null;
    ranking(state).forEach(function (item) {
      let changes = 0;
      let steps = 0;
      tileDigits(kernel, item.tile).forEach(function (digit, i) {
        changes += digit === state.at[5 + i] ? 0 : 1;
        steps += Math.abs(digit - state.at[5 + i]);
      });
      if (!best || changes < best.changes || (changes === best.changes && steps < best.steps)) {
        best = { tile: item.tile, changes: changes, steps: steps };
      }
    });
    return best && atTile(state, best.tile);
  }

  // The fastest state with the values x and y in two dimensions: of the state's other values (free = false), or
  // of all tiles. null where every one is refused.
  function cells(state, x, y, free) {
    const kernel = kernels[state.kernel];
    const list = kernel.dimensions;
    const result = [];
    for (let row = 0; row < list[y].values.length; row += 1) {
      for (let col = 0; col < list[x].values.length; col += 1) result.push(null);
    }
    const take = function (other, time) {
      const place = other.at[y] * list[x].values.length + other.at[x];
      if (time > 0 && (!result[place] || time < result[place].seconds)) result[place] = { state: other, seconds: time };
    };
    const outer = function (dimension) {
      return list[dimension].tile && free ? [state.at[dimension]] : list[dimension].values.map(function (v, i) { return i; });
    };
    outer(y).forEach(function (row) {
      outer(x).forEach(function (col) {
        const here = changed(changed(state, y, row), x, col);
        const first = firstLaunch(kernel, here.at);
        if (!free) {
          take(here, seconds(kernel, first + tileOf(kernel, here.at), here.at[1]));
          return;
        }
        for (let tile = 0; tile < kernel.tiles; tile += 1) {
          const time = seconds(kernel, first + tile, here.at[1]);
          if (time > 0) take(atTile(here, tile), time);
        }
      });
    });
    return result;
  }

  function quoted(word) {
    return /^[A-Za-z0-9_.,:=\/+%@-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
  }

  // The command that prints the state's figures.
  function command(state) {
    const kernel = kernels[state.kernel];
    const list = kernel.dimensions;
    const gpu = raw.gpus[state.at[0]];
    const words = ['gpumodel', 'predict', '--arch', gpu.arch, '--kernel', kernel.name, '-m', list[2].values[state.at[2]],
      '-n', list[3].values[state.at[3]], '-k', list[4].values[state.at[4]]];
    kernel.axes.forEach(function (axis, i) { words.push('-p', axis.key + '=' + axis.values[state.at[5 + i]]); });
    following(state).forEach(function (f) { words.push('-p', f.key + '=' + f.value); });
    raw.sets.concat(gpu.clocks[state.at[1]].set || []).forEach(function (set) { words.push('--set', set); });
    return words.concat('--model', 'analytic').map(quoted).join(' ') + ' ' + kernel.code;
  }

  return {
    gpus: raw.gpus, kernels: kernels, clocks: clocks, point: point, ranking: ranking, atTile: atTile, changed: changed,
    nearestLegal: nearestLegal, cells: cells, command: command, following: following, tileOf: tileOf, tileDigits: tileDigits
  };
})();
