package io.persist.peers.engine;

import java.util.List;
import java.util.Optional;

/** The engines, in the order of tables. A new one is one more line here. */
public final class Engines {

    private static final List<EngineKind> ALL = List.of();

    private Engines() {}

    public static List<EngineKind> all() {
        return ALL;
    }

    public static Optional<EngineKind> byId(String id) {
        return ALL.stream().filter(each -> each.id().equals(id)).findFirst();
    }
}
