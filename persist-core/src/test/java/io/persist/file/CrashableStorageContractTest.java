package io.persist.file;

import io.persist.testkit.CrashableStorage;

class CrashableStorageContractTest extends StorageContract {

    @Override
    protected Storage newStorage() {
        return new CrashableStorage();
    }
}
