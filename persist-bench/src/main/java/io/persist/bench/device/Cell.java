package io.persist.bench.device;

import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.device.engine.Trait;
import io.persist.command.Text;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is measured by itself: a way to reach the disk, and what is done there.
 *
 * @param depth operations in flight for each file
 * @param syncEvery every which write is followed by a sync; 0 for none
 */
record Cell(DeviceEngine engine, Pattern pattern, Operation operation, long syncEvery, int depth) {

    /** Whether it makes sense; each way to reach a file has something that it cannot do, or does anyway. */
    String nonsense() {
        if (operation == Operation.READ && pattern == Pattern.APPEND) {
            return "what is appended is not read";
        }
        if (operation == Operation.READ && engine.has(Trait.SYNCED)) {
            return engine.name() + " says something of writes only";
        }
        if (pattern == Pattern.APPEND && engine.has(Trait.FIXED_LENGTH)) {
            return engine.name() + " cannot append: a mapping has a fixed length";
        }
        return "";
    }

    /** Those that sync each write have nothing left to sync, and a read has nothing. */
    Cell normal() {
        boolean neverSyncs = operation == Operation.READ || engine.has(Trait.SYNCED);
        return new Cell(engine, pattern, operation, neverSyncs ? 0 : syncEvery, engine.has(Trait.QUEUES) ? depth : 1);
    }

    /** "write", "write +sync", "write +sync/8", "read". */
    String action() {
        if (operation == Operation.READ) {
            return "read";
        }
        if (engine.has(Trait.SYNCED)) {
            return "write +sync";
        }
        return "write" + (syncEvery == 0 ? "" : syncEvery == 1 ? " +sync" : " +sync/" + syncEvery);
    }

    /** As in {@code direct rand write +sync}. */
    String label() {
        return engine.name() + " " + Text.camelCase(pattern) + " " + action();
    }

    /** By name, for files. */
    Map<String, String> describe() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("engine", engine.name());
        map.put("pattern", Text.camelCase(pattern));
        map.put("op", Text.camelCase(operation));
        map.put("syncEvery", Long.toString(syncEvery));
        map.put("depth", Integer.toString(depth));
        return map;
    }
}
