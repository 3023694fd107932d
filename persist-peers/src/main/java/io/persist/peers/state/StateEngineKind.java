package io.persist.peers.state;

/** The engines that are compared. */
public enum StateEngineKind {
    STORE {
        @Override
        StateEngine open(StateEngineConfig config) {
            return new StoreStateEngine(config);
        }
    },
    ROCKSDB {
        @Override
        StateEngine open(StateEngineConfig config) {
            return new RocksStateEngine(config);
        }
    };

    abstract StateEngine open(StateEngineConfig config);
}
