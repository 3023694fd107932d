package io.persist.bench.device;

import io.persist.bench.device.access.DeviceEngines;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.command.UsageException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The cells that the flags ask for, each once, engine by engine. */
final class Matrix {

    private Matrix() {}

    static List<Cell> of(DeviceFlags flags, DeviceEngines engines) {
        List<String> names = flags.engines(engines.names());
        Set<Cell> cells = new LinkedHashSet<>();
        String nonsense = "";
        for (DeviceEngine engine : engines.all().stream()
                .filter(each -> names.contains(each.name()))
                .toList()) {
            int before = cells.size();
            for (Pattern pattern : flags.patterns()) {
                for (Operation operation : flags.operations()) {
                    for (long every : flags.syncEvery()) {
                        Cell cell = new Cell(engine, pattern, operation, every, (int) flags.depth).normal();
                        if (cell.nonsense().isEmpty()) {
                            cells.add(cell);
                        } else {
                            nonsense = cell.nonsense();
                        }
                    }
                }
            }
            if (cells.size() == before && flags.namesEngines()) {
                throw new UsageException("nothing to measure of " + engine.name() + ": " + nonsense
                        + "; choose another --pattern or --op, or leave it out");
            }
        }
        if (cells.isEmpty()) {
            throw new UsageException("nothing to measure: " + nonsense + "; choose another --pattern or --op");
        }
        return List.copyOf(cells);
    }
}
