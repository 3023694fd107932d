package io.persist.peers.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

class EngineKindTest {

    private static final Pattern PEER = Pattern.compile(".+ \\d+(\\.\\d+)+");

    @Test
    void shouldSayTheVersionOfEachPeer() {
        for (String id :
                new String[] {"chronicle", "aeron", "artemis-nio", "artemis-mapped", "artemis-aio", "rocksdb", "sqlite"
                }) {
            assertThat(Engines.byId(id).orElseThrow().library()).matches(PEER);
        }
    }

    @Test
    void shouldSayTheVersionThatRocksdbHas() {
        RocksDB.loadLibrary();
        assertThat(RocksEngine.VERSION).hasToString(String.valueOf(RocksDB.rocksdbVersion()));
    }
}
