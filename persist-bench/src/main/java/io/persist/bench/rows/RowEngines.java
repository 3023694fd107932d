package io.persist.bench.rows;

import io.persist.bench.rows.promise.RowPromise;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** All engines; one that is not there is among them, and says why. */
final class RowEngines {

    static final String STORE = "store";

    static final String SQLITE = "sqlite";
    private static final String REMEDY = "it is in the module persist-peers, which is not on this class path;"
            + " use bin/persist rows in a checkout, after mvn -DskipTests package";

    private final Map<String, RowEngine> engines = new LinkedHashMap<>();

    RowEngines(Iterable<RowEngineProvider> providers) {
        add(RowEngine.of("message", RowPromise::ofPersist, LogTable::message));
        add(RowEngine.of(STORE, RowPromise::ofPersist, LogTable::store));
        add(new RowEngine(
                SQLITE,
                RowPromise::ofSqlite,
                spec -> {
                    throw new IllegalStateException(REMEDY);
                },
                Optional.of(REMEDY)));
        providers.forEach(provider -> add(provider.engine()));
    }

    private void add(RowEngine engine) {
        engines.put(engine.name(), engine);
    }

    static RowEngines load() {
        return new RowEngines(ServiceLoader.load(RowEngineProvider.class));
    }

    static RowEngines plain() {
        return new RowEngines(List.of());
    }

    List<String> names() {
        return List.copyOf(engines.keySet());
    }

    RowEngine named(String name) {
        RowEngine engine = engines.get(name);
        if (engine == null) {
            throw new IllegalArgumentException("engine=" + name);
        }
        return engine;
    }
}
