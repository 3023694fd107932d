package io.persist.memcached;

import io.persist.command.ManualContract;
import java.util.List;

class ManualTest extends ManualContract {

    @Override
    protected List<String> names() {
        return List.of("memcached");
    }
}
