package io.persist.peers.state;

import java.security.CodeSource;
import org.rocksdb.RocksDB;

/** The engines that are compared. */
public enum StateEngineKind {
    STORE {
        @Override
        public StateEngine open(StateEngineConfig config) {
            return new StoreStateEngine(config);
        }

        @Override
        public String library() {
            return "Persist, this version";
        }
    },
    ROCKSDB {
        @Override
        public StateEngine open(StateEngineConfig config) {
            return new RocksStateEngine(config);
        }

        /** SpeedB's classes have the same names; of its version only the name of its jar tells. */
        @Override
        public String library() {
            String version = "RocksDB " + RocksDB.rocksdbVersion();
            CodeSource source = RocksDB.class.getProtectionDomain().getCodeSource();
            String jar = source == null ? "" : source.getLocation().getPath();
            String file = jar.substring(jar.lastIndexOf('/') + 1);
            return file.startsWith("speedb") ? file.replace(".jar", "") + ", made from " + version : version;
        }
    };

    public abstract StateEngine open(StateEngineConfig config);

    /** What it comes from, with the version. */
    public abstract String library();
}
