package io.persist.jmh;

/** The engines that are compared. */
public enum EngineKind {
    STORE {
        @Override
        StateEngine open(EngineConfig config) {
            return new StoreEngine(config);
        }
    },
    ROCKSDB {
        @Override
        StateEngine open(EngineConfig config) {
            return new RocksEngine(config);
        }
    };

    abstract StateEngine open(EngineConfig config);
}
