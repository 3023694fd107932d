package io.persist.bench.rows;

/** An engine of another module, by {@link java.util.ServiceLoader}. */
public interface RowEngineProvider {

    RowEngine engine();
}
